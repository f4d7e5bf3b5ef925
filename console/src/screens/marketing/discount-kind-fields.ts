import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import type { Schema } from '../../api.ts';

type Kind = Schema['StaffDiscount']['kind'];
type NamesOf<Own> = Own extends unknown ? keyof Own & string : never;
/** Fields that only some kinds have. */
type OwnField = NamesOf<(typeof discountKinds)[Kind]['own']>;

/** Whether it is taken off each line by itself. */
export function isOffLines(kind: Kind): boolean {
  return discountKinds[kind].maximumOf === 'line';
}

/** Whether the kind has a field that others do not have. */
export function hasField(kind: Kind, field: OwnField): boolean {
  return field in discountKinds[kind].own;
}
