import type { Static } from 'typebox';
import { Named, OneOf } from './schemas.ts';

/** The direction of a list, beside `sortBy`. */
export const SortDirection = Named(
  'SortDirection',
  OneOf(['ascending', 'descending'], {
    description: 'By default that which the sort has by itself. Rows without a value come last in both',
  }),
);
export type SortDirection = Static<typeof SortDirection>;

/** Whether a list is asked for in the direction that is not its sort's own one. */
export function isTurned(asked: SortDirection | undefined, own: SortDirection): boolean {
  return asked !== undefined && asked !== own;
}
