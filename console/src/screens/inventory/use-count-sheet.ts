import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure, api, type Schema } from '../../api.ts';
import { isDecimalText } from '../../parts/decimal-text.ts';
import { type KeptKey, useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { itemName, type StockLevel } from './stock-words.ts';

export type StockCount = Schema['StockCount'];

interface CountBody {
  readonly inventoryLocationId: number;
  readonly lines: Pick<
    StockCount['lines'][number],
    'productId' | 'productOptionId' | 'packageId' | 'counted' | 'expected'
  >[];
  readonly reason: string | null;
}

/** What is entered for a line. */
export interface Counted {
  readonly level: StockLevel;
  readonly counted: string;
}

/** Loads all stock of a location, page by page: a sheet is counted as a whole. */
export function useLevelsOf(location: string | undefined, wanted: string) {
  const locationId = Number(location ?? 0);
  const list = useList<StockLevel>({
    queryKey: ['inventory', { locationId }],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/inventory', { params: { query: { locationId, startingAfter } }, signal })),
    enabled: locationId > 0,
  });
  useEffect(() => {
    if (list.hasMore && !list.isLoadingMore) list.loadMore();
  });
  const words = wanted.trim().toLowerCase();
  const all = list.rows;
  if (words === '') return { ...list, all };
  const has = (level: StockLevel) =>
    [level.productName, level.optionName, level.brandName, level.upc, level.packageLabel].some((it) =>
      it?.toLowerCase().includes(words),
    );
  return { ...list, all, rows: all.filter(has) };
}

/** The reason of a count, and how to save the filled lines. */
export function useCountSheet(
  inventoryLocationId: number,
  filled: readonly Counted[],
  keptKey: KeptKey,
  onSaved: () => void,
) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const refresh = () => {
    for (const it of ['inventory', 'inventory-ledger']) {
      void queryClient.invalidateQueries({ queryKey: [it] });
    }
  };
  const save = useKeyedWrite(
    (body: CountBody, idempotencyKey) =>
      api.POST('/staff/v1/inventory-counts', { body: { ...body, idempotencyKey } }),
    (count) => {
      refresh();
      return t`${count.lines.length} items were counted. The list shows the current stock.`;
    },
    keptKey,
  );
  const [sent, setSent] = useState<readonly Counted[]>([]);
  const send = useWrite({
    mutationFn: async () => {
      const wrong = filled.find(({ counted }) => !isDecimalText(counted));
      if (wrong) {
        const message = t`${itemName(wrong.level)}: “${wrong.counted}” is not a number.`;
        throw new ApiFailure({ message, code: 'INVALID_PARAMS', status: 400 });
      }
      return save({
        inventoryLocationId,
        lines: filled.map(({ level: { productId, productOptionId, packageId, onHand }, counted }) => ({
          productId,
          productOptionId,
          packageId,
          counted,
          expected: onHand,
        })),
        reason: reason.trim() || null,
      });
    },
    onSuccess: () => {
      setSent(filled);
      onSaved();
      refresh();
    },
  });
  return {
    reason,
    setReason,
    sent,
    send: () => send.mutate(),
    isPending: send.isPending,
    error: send.error,
    result: send.data ?? null,
    close: () => send.reset(),
  };
}
