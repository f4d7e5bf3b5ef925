import fc from 'fast-check';
import { worth } from '../reference-goods.test-support.ts';
import type { ReferenceOrderKind } from './reference-kind.test-support.ts';

/** Off the rest of the order. */
export const reference: ReferenceOrderKind = {
  level: 'order',
  ownTerms: fc.constant(null),
  ordered: (discount) => discount,
  wants: (discount, leftCents) => worth(discount, leftCents),
};
