import { type DigestRow, digestSql, versionSql } from '../database/record-digest.ts';
import { statement } from '../database/statement.ts';
import { nothingUnpublished } from '../events/event-feed-queries.ts';

/** The digest of all packages (D65); their time of change has microseconds. */
export const digestOfPackages = statement<Record<never, never>, DigestRow>(
  'digest_packages',
  `select count(*)::int as count, ${digestSql('g.package_id', versionSql('g.changed_at', 'US'))} as digest
     from package_changes g where g.organization_id = :organizationId and ${nothingUnpublished}`,
  { isLong: true },
);
