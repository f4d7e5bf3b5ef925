import { statement } from '../database/statement.ts';

/**
 * Which version of the terms is in force; grows with every change of what prices a cart (by triggers, so it
 * cannot be forgotten). No row: nothing has changed since versions are counted.
 */
export const selectTermsVersion = statement<Record<never, never>, { version: number }>(
  'select_terms_version',
  `select version from terms_versions where organization_id = :organizationId`,
);

/** The first of the discounts that have not ended and hang on the sale of something else; coming ones too. */
export const selectTiedDiscounts = statement<{ at: string }, { name: string }>(
  'select_tied_discounts',
  `select name from discounts
    where organization_id = :organizationId and kind = 'buy-x-get-y' and (ends_at is null or ends_at > :at)
    order by priority, id
    limit 10`,
);
