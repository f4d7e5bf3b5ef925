import fc from 'fast-check';
import { worth } from '../naive-goods.test-support.ts';
import type { NaiveOrderKind } from './naive-kind.test-support.ts';

/** Off the rest of the order. */
export const naive: NaiveOrderKind = {
  level: 'order',
  ownTerms: fc.constant(null),
  ordered: (discount) => discount,
  wants: (discount, leftCents) => worth(discount, leftCents),
};
