import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';

/** The digest of all purchase orders (D65). */
export const digestOfPurchaseOrders = statement<Record<never, never>, Required<DigestRow>>(
  'digest_purchase_orders',
  `select '' as month, count(*)::int as count, ${digestSql('o.id', versionSql('o.updated_at'))} as digest
     from purchase_orders o where o.organization_id = :organizationId`,
  { isLong: true },
);
