import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { isPackageTag, sameProductCode, significantDigits } from '../../scanner/scan-codes.ts';
import { sayOfScan } from '../../scanner/scanner.ts';
import { useScans } from '../../scanner/use-scans.ts';
import { t } from '../../words/words.ts';
import { amountLeft } from './amount-left.ts';
import { lineName, type PurchaseLine, type PurchaseOrder } from './purchase-words.ts';

/**
 * Scans of a delivery: the code of a product adds one to its line, the label of a package goes to the line that was scanned last.
 */
export function useReceiveScans(
  order: PurchaseOrder,
  {
    onOneMore,
    onLabel,
  }: { onOneMore: (line: PurchaseLine) => void; onLabel: (line: PurchaseLine, label: string) => void },
) {
  const [scanned, setScanned] = useState<{ atHand: PurchaseLine | null; missed: string | null }>({
    atHand: null,
    missed: null,
  });
  const miss = (missed: string) => {
    setScanned(({ atHand }) => ({ atHand, missed }));
    sayOfScan(missed);
  };
  const take = async (code: string) => {
    if (isPackageTag(code)) {
      const { atHand } = scanned;
      if (atHand === null) return miss(t`Scan the product first, then the label of its package.`);
      onLabel(atHand, code.toUpperCase());
      setScanned({ atHand, missed: null });
      return sayOfScan(t`${lineName(atHand)}: package ${code}.`);
    }
    try {
      const line = await lineOf(order, code);
      if (!line) return miss(t`Code ${code} is not on this order.`);
      onOneMore(line);
      setScanned({ atHand: line, missed: null });
      sayOfScan(t`${lineName(line)}: one more.`);
    } catch (error) {
      miss(t`Code ${code} could not be looked up. Scan it again. ${messageOf(error)}`);
    }
  };
  useScans((code) => void take(code));
  return scanned;
}

/** The line of a product code: the first that still lacks something. */
async function lineOf(order: PurchaseOrder, code: string): Promise<PurchaseLine | undefined> {
  const query = { search: significantDigits(code) };
  const products = await dataOf(api.GET('/staff/v1/products', { params: { query } }));
  const lines = order.lineItems.filter(({ productId, productOptionId }) => {
    const options = products.find(({ id }) => id === productId)?.options ?? [];
    return options.some(
      ({ id, upc }) =>
        upc !== null && sameProductCode(upc, code) && (productOptionId === null || productOptionId === id),
    );
  });
  return lines.find(({ amount, amountReceived }) => amountLeft(amount, amountReceived) !== '0') ?? lines[0];
}
