import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';

/** The digest of all customers (D65). */
export const digestOfCustomers = statement<Record<never, never>, Required<DigestRow>>(
  'digest_customers',
  `select '' as month, count(*)::int as count, ${digestSql('c.id', versionSql('c.updated_at'))} as digest
     from customers c where c.organization_id = :organizationId`,
  { isLong: true },
);
