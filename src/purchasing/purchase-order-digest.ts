import { type DigestRow, digestSql, versionSql } from '../database/record-digest.ts';
import { statement } from '../database/statement.ts';
import { nothingUnpublished } from '../events/event-feed-queries.ts';

/** The digest of all purchase orders (D65). */
export const digestOfPurchaseOrders = statement<Record<never, never>, DigestRow>(
  'digest_purchase_orders',
  `select count(*)::int as count, ${digestSql('o.id', versionSql('o.updated_at'))} as digest
     from purchase_orders o where o.organization_id = :organizationId and ${nothingUnpublished}`,
  { isLong: true },
);
