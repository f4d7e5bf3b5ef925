import { OneOf } from '../../platform/http/schemas.ts';
import { type IdCheckHow, idCheckWays, type OrderHead } from './order-record.ts';

/** How a member of staff saw an ID. */
export const IdCheck = OneOf(idCheckWays, {
  description:
    'A member of staff has seen an ID of who takes the goods: `scan`, a scanner read the card; `eye`, they read it themselves',
});

/** What an order keeps of an ID that was seen: who, when and how. */
export function seenId(
  how: IdCheckHow,
  staffId: number | null,
  nowMs: number,
): Pick<OrderHead, 'idCheckedAt' | 'idCheckedByStaffId' | 'idCheckHow'> {
  return { idCheckedAt: nowMs, idCheckedByStaffId: staffId, idCheckHow: how };
}
