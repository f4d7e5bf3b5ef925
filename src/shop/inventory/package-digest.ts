import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';

/** Digests of packages (D65); their time of change has microseconds. */

export const digestOfPackages = statement<Record<never, never>, Required<DigestRow>>(
  'digest_packages',
  `select '' as month, count(*)::int as count, ${digestSql('g.package_id', versionSql('g.changed_at', 'US'))} as digest
     from package_changes g where g.organization_id = :organizationId`,
  { isLong: true },
);

type Changes = Required<DigestRow> & { changes: number };

const changeDigests = `'' as month, coalesce(sum(v.number), 0)::int as count,
          ${digestSql('g.package_id', versionSql('v.at', 'US'))} as digest, count(*)::int as changes`;
const versions = `cross join lateral (values (g.summed_at, -1), (g.changed_at, 1)) v(at, number)
    where v.at is not null`;

/** What the packages that changed since they were summed make of the digest. */
export const selectUnsummedPackages = statement<Record<never, never>, Changes>(
  'select_unsummed_packages',
  `select ${changeDigests}
     from (select package_id, changed_at, summed_at from package_changes
            where organization_id = :organizationId and summed_at is distinct from changed_at) g
     ${versions}`,
  { isLong: true },
);

const packagesPerTake = 2_000;

/**
 * The same of some of them, and marks these as summed. A package that a sale holds waits for the next time, so that
 * neither waits for the other.
 */
export const takeUnsummedPackages = statement<Record<never, never>, Changes>(
  'take_unsummed_packages',
  `with g as (
     select package_id, changed_at, summed_at from package_changes
      where organization_id = :organizationId and summed_at is distinct from changed_at
      order by package_id limit ${packagesPerTake}
        for no key update skip locked
   ), summed as (
     update package_changes p set summed_at = g.changed_at from g
      where p.organization_id = :organizationId and p.package_id = g.package_id
   )
   select ${changeDigests} from g ${versions}`,
  { isLong: true },
);
