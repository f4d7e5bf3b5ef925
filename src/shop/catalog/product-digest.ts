import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';

/** The digest of the products that are not deleted (D65). */
export const digestOfProducts = statement<Record<never, never>, Required<DigestRow>>(
  'digest_products',
  `select '' as month, count(*)::int as count, ${digestSql('p.id', versionSql('p.updated_at'))} as digest
     from products p where p.organization_id = :organizationId and p.deleted_at is null`,
  { isLong: true },
);
