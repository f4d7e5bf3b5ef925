import { doubtful } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';

/** No fact is known well enough: the file holds what owners are warned of. */
export const virginia: Jurisdiction = {
  state: 'VA',
  name: 'Virginia',
  minimumAges: [],
  purchaseLimits: [],
  taxes: [],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    doubtful(
      'There is no adult-use retail. It may open on 2027-07-01, with 2 oz for each sale and a tax of 6 %.',
      'Reports on a budget agreement of June 2026; that it was enacted was not verified.',
    ),
  ],
};
