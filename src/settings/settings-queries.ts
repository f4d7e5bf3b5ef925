import { statement } from '../database/statement.ts';

/**
 * Which version of the terms is in force; grows with every change of what prices a cart (by triggers, so it
 * cannot be forgotten). No row: nothing has changed since versions are counted.
 */
export const selectTermsVersion = statement<Record<never, never>, { version: number }>(
  'select_terms_version',
  `select version from terms_versions where organization_id = :organizationId`,
);
