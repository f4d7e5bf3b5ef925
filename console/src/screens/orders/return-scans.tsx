import { useQueryClient } from '@tanstack/react-query';
import { askWithin } from '../../parts/ask-within.ts';
import { findGoods, lookUpDeadlineMs } from '../../parts/find-goods.ts';
import { notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { sayOfScan } from '../../scanner/scanner.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';
import { returnedUnits } from './returnable-lines.ts';

/**
 * While it is shown, a scan of goods means one unit of them that comes back: `onUnit` gets the line of the order. Goods that are
 * not in the order, or came back already, are refused in words.
 */
export function ReturnScans({ order, onUnit }: { order: Order; onUnit: (lineId: number) => void }) {
  const queryClient = useQueryClient();
  const take = async (code: string) => {
    try {
      const found = await findGoods(askWithin(queryClient, lookUpDeadlineMs), code);
      const lines = order.lineItems.filter((line) =>
        found.some(({ productOptionId }) => productOptionId === line.optionId),
      );
      const line = lines.find(({ id, quantity }) => returnedUnits(order, id) < quantity);
      if (line) {
        sayOfScan(t`${line.productName}, ${line.optionName} comes back.`);
        return onUnit(line.id);
      }
      const reason = lines.length > 0 ? t`All of it was already returned.` : t`It is not in this order.`;
      notifyRefusal(reason, found[0]?.productName ?? t`Unknown code ${code}`);
    } catch (error) {
      notifyError(error);
    }
  };
  useScans((code) => void take(code));
  return null;
}
