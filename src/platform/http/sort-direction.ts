import { sortDirections } from '../../kernel/list-sort.ts';
import { Named, OneOf } from './schemas.ts';

/** The direction of a list, beside `sortBy`. */
export const SortDirection = Named(
  'SortDirection',
  OneOf(sortDirections, {
    description:
      'By default the direction that the sort has by itself. Rows without a value come last in both',
  }),
);
