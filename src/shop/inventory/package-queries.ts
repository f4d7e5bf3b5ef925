import { assert } from '../../kernel/assert.ts';
import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { type SearchPage, searchStatements } from '../../platform/lists/search.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { patternOf, wordsOf } from '../../platform/lists/word-search.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';
import { type PackageDetails, packageDetailColumns } from './package-details.ts';

/** SQL on packages: details, last changes and stock. */

export const packageStatuses = [
  'ready',
  'received',
  'finished',
  'shipped',
  'transferred',
  'transfer-returned',
  'syncing',
] as const;

export type PackageStatus = (typeof packageStatuses)[number];

/** Whether a package is finished, void, shipped or transferred: it takes no more stock. */
export function isEnded(status: PackageStatus): boolean {
  return status === 'finished' || status === 'shipped' || status === 'transferred';
}

/** Whether a package was rejected when it came (D90): other packages that went back have no reason. */
export function isRejected(row: Pick<PackageRow, 'status' | 'void_reason'>): boolean {
  return row.status === 'transfer-returned' && row.void_reason !== null;
}

export interface PackageRow {
  id: number;
  organization_id: number;
  product_id: number | null;
  product_option_id: number | null;
  type: 'metrc';
  external_id: string | null;
  external_product_name: string | null;
  label: string;
  status: PackageStatus;
  initial_amount: string;
  unit: string;
  created_at: number;
  /** Text with microseconds: a cursor. */
  changed_at: string;
  received_at: number | null;
  finished_at: number | null;
  multiplier: string;
  expiration_date: string | null;
  transferred_at: number | null;
  transfer_returned_at: number | null;
  shipped_at: number | null;
  cost_per_unit: string | null;
  void_reason: string | null;
  thc_percent: string | null;
  thc_mg: string | null;
  cbd_percent: string | null;
  cbd_mg: string | null;
  producer_name: string | null;
  producer_license: string | null;
  harvest_date: string | null;
  harvest_facility_name: string | null;
  harvest_facility_license: string | null;
  lab_name: string | null;
  lab_license: string | null;
  lab_date: string | null;
  certificate_url: string | null;
  on_hold: boolean;
  hold_reason: string | null;
  trade_sample: boolean;
  original_source_label: string | null;
  compliance_transfer_id: number | null;
}

/** For a package `k`, with `g` as its last change. */
const packageColumns = `k.id, k.organization_id, k.product_id, k.product_option_id, k.type, k.external_id,
  k.external_product_name, k.label, k.status, k.initial_amount, k.unit, k.created_at,
  to_char(g.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as changed_at,
  k.received_at, k.finished_at, k.multiplier, k.expiration_date, k.transferred_at, k.transfer_returned_at,
  k.shipped_at, k.cost_per_unit, k.void_reason, k.thc_percent, k.thc_mg, k.cbd_percent, k.cbd_mg, k.producer_name,
  k.producer_license, k.harvest_date, k.harvest_facility_name, k.harvest_facility_license, k.lab_name, k.lab_license,
  k.lab_date, k.certificate_url, k.on_hold, k.hold_reason, k.trade_sample, k.original_source_label, k.compliance_transfer_id`;

/**
 * The instant before which no new change of a package can appear: the current time, or the second in which the oldest
 * running write began (it holds an advisory lock on that second, see package_change_instant). Query it before taking
 * the page's snapshot: a write that it does not see has either committed, and is in the snapshot, or will read the
 * clock later.
 */
export const selectSettledChanges = statement<Record<never, never>, { before: string }>(
  'select_settled_changes',
  `select to_char(least(now(), min(to_timestamp(l.objid::bigint + 1600000000))) at time zone 'UTC',
                  'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as before
     from pg_locks l
    where l.locktype = 'advisory' and l.classid = 1885430635 and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())`,
  {
    // The locks are on the server of the organization.
    onDistributed: `select settled_changes_of_packages() as before from organizations where id = :organizationId`,
  },
);

/** D14. */
export const packagesPerPage = 50;

/** Longest unchanged first; packages with the same instant are ordered by id. */
export const selectPackagePage = statement<{ before: string }, PackageRow>(
  'select_package_page',
  `select ${packageColumns}
     from package_changes g
     join packages k on k.organization_id = g.organization_id and k.id = g.package_id
    where g.organization_id = :organizationId and g.changed_at < :before::timestamptz
    order by g.changed_at, g.package_id limit ${packagesPerPage}`,
);

export const selectPackagePageAfter = statement<
  { before: string; afterUpdatedAt: string; afterId: number },
  PackageRow
>(
  'select_package_page_after',
  `select ${packageColumns}
     from package_changes g
     join packages k on k.organization_id = g.organization_id and k.id = g.package_id
    where g.organization_id = :organizationId and g.changed_at < :before::timestamptz
      and (g.changed_at, g.package_id) > (:afterUpdatedAt::timestamptz, :afterId::bigint)
    order by g.changed_at, g.package_id limit ${packagesPerPage}`,
);

const search = `and lower(concat_ws(E'\\n', k.label, k.external_product_name,
            (select p.name from products p where p.organization_id = k.organization_id and p.id = k.product_id)))
            like all ((select lower(:patterns::text[]::text)::text[])::text[])`;

/**
 * Newest first, by id, starting below the cursor if there is one. The text search covers labels and product names, in
 * the catalog and on the manifest: words in any order, without case. The page is selected before any join: a plan for all packages
 * would join all of them.
 */
const newestPackages = (page: string): string =>
  `select ${packageColumns}
     from (${page}) k
     join package_changes g on g.organization_id = k.organization_id and g.package_id = k.id
    order by k.id desc`;

/** `least` leaves null out; for coalesce, row-level security would let no index be used. */
const isAfter = (id: string): string => `${id} < least(:startingAfter::bigint, 9223372036854775807)`;

const newest = (conditions: string, limit: number): string =>
  `select * from packages k
            where k.organization_id = :organizationId and ${isAfter('k.id')} ${conditions}
            order by k.id desc limit ${limit}`;

const foundAmong = (first: string): string =>
  `select * from (${first}) k
            where true ${search}
            order by k.id desc limit ${packagesPerPage}`;

const foundByTokens = (conditions: string): string =>
  `select k.* from (select s.package_id from package_searches s
                    where s.organization_id = :organizationId and ${isAfter('s.package_id')}
                    order by s.package_id desc offset 0) s
            cross join lateral (select * from packages k
                    where k.organization_id = :organizationId and k.id = s.package_id ${conditions} ${search}
                    limit 1) k
            order by s.package_id desc limit ${packagesPerPage}`;

/** Another order than by id. A status is one of its own filters, with its text in the statement, as below. */
const ofStatuses = Object.fromEntries(
  packageStatuses.map((status) => [status, `and k.status = '${status}'`]),
) as Record<PackageStatus, string>;
const packages = 'from packages k where k.organization_id = :organizationId';

export const packageList = sortedList<
  PackageRow,
  'createdAt' | 'label' | 'status' | 'initialAmount' | 'expirationDate' | 'receivedAt',
  PackageStatus
>({
  name: 'list_packages',
  rows: packages,
  ids: ['k.id'],
  sorts: {
    createdAt: { key: 'k.id', own: 'descending' },
    label: { key: 'k.label collate "C"', own: 'ascending' },
    status: { key: 'k.status collate "C"', own: 'ascending' },
    initialAmount: {
      key: 'a.initial_millionths',
      own: 'descending',
      rows: `from packages k
              join package_amounts a on a.organization_id = :organizationId and a.package_id = k.id
              where k.organization_id = :organizationId`,
      // The index of the amounts, and each one's package: a join could be planned as a sort of all amounts.
      byHand: {
        keyed: (page) => [
          page.keyed(
            `from package_amounts a
              cross join lateral (select * from packages k
                where k.organization_id = :organizationId and k.id = a.package_id limit 1) k
              where a.organization_id = :organizationId`,
            ['a.package_id'],
          ),
        ],
      },
    },
    expirationDate: { key: 'k.expiration_date', own: 'ascending', isNullable: true },
    receivedAt: { key: 'k.received_at', own: 'descending', isNullable: true },
  },
  filters: ofStatuses,
  isPossible: (asked) => asked.length < 2,
  few: ([status], limit) =>
    `select k.id ${packages} ${ofStatuses[status!]} order by k.id desc limit ${limit}`,
  rowsPerPage: packagesPerPage,
  show: (page) => `select ${packageColumns}
     from ${page}
     join packages k on k.organization_id = :organizationId and k.id = page.id0
     join package_changes g on g.organization_id = k.organization_id and g.package_id = k.id`,
});

/*
 * One statement for each status, with the status in its text: a generic plan scans all packages by id, and a rare
 * status then takes 1 s at a million packages.
 */
const newestStatements = new Map(
  [null, ...packageStatuses].map((status) => {
    const name = ['select_newest_packages', ...(status === null ? [] : [status])]
      .join('_')
      .replaceAll('-', '_');
    const ofStatus = status === null ? '' : `and k.status = '${status}'`;
    return [
      status,
      {
        page: statement<SqlParameters, PackageRow>(name, newestPackages(newest(ofStatus, packagesPerPage))),
        count: statement<SqlParameters, { count: number }>(
          `${name}_count`,
          countOfRows(
            `select from packages k where k.organization_id = :organizationId ${ofStatus} order by k.id desc`,
          ),
        ),
        search: searchStatements<PackageRow>(name, packagesPerPage, {
          foundAmong: (count) => newestPackages(foundAmong(newest(ofStatus, count))),
          listed: (count) => newest(ofStatus, count),
          foundByTokens: newestPackages(foundByTokens(ofStatus)),
          candidates: (count) => `select s.package_id from package_searches s
            where s.organization_id = :organizationId and ${isAfter('s.package_id')} limit ${count}`,
        }),
      },
    ] as const;
  }),
);

interface PackageFilter {
  readonly startingAfter: number | null;
  readonly status: PackageStatus | null;
}

function statementsOf(status: PackageStatus | null) {
  const statements = newestStatements.get(status);
  assert(statements !== undefined, 'every status has its statements');
  return statements;
}

/** A page of packages; null filters nothing. */
export function listNewestPackages({ status, ...filter }: PackageFilter): BoundStatement<PackageRow> {
  return statementsOf(status).page(filter);
}

/** How many they are, wherever the page starts. */
export function countNewestPackages({
  status,
}: Pick<PackageFilter, 'status'>): BoundStatement<{ count: number }> {
  return statementsOf(status).count({});
}

/** The packages among them with all words of a text, in any order, in their label and names. */
export function searchNewestPackages(
  text: string,
  { status, ...filter }: PackageFilter,
): SearchPage<PackageRow> {
  const words = wordsOf(text);
  return statementsOf(status).search(words.join('\n'), { ...filter, patterns: words.map(patternOf) });
}

export const selectPackages = statement<{ ids: readonly number[] }, PackageRow>(
  'select_packages',
  `select ${packageColumns}
     from packages k
     join package_changes g on g.organization_id = k.organization_id and g.package_id = k.id
    where k.organization_id = :organizationId and k.id = any(:ids)`,
);

export const selectPackageByLabel = statement<{ label: string }, PackageRow>(
  'select_package_by_label',
  `select ${packageColumns}
     from packages k
     join package_changes g on g.organization_id = k.organization_id and g.package_id = k.id
    where k.organization_id = :organizationId and k.label = :label`,
);

/** The stock of some packages by location; packages without stock are absent. */
export const selectStockOfPackages = statement<
  { ids: readonly number[] },
  { package_id: number; inventory_location_id: number; on_hand: string }
>(
  'select_stock_of_packages',
  `select package_id, inventory_location_id, sum(on_hand) as on_hand from stock_balances
    where organization_id = :organizationId and package_id = any(:ids) and on_hand > 0
    group by package_id, inventory_location_id order by package_id, inventory_location_id`,
);

/** The labels among the given ones that are taken. */
export const selectTakenLabels = statement<{ labels: readonly string[] }, { id: number; label: string }>(
  'select_taken_labels',
  `select id, label from packages where organization_id = :organizationId and label = any(:labels)`,
);

/** A package that takes stock, with what its manifest announced and what was received of it, in units of stock. */
export interface FedPackageRow {
  id: number;
  label: string;
  unit: string;
  status: PackageStatus;
  multiplier: string;
  /** In the package's unit; null: it was made by a reception. */
  announced_amount: string | null;
  received_amount: string;
}

export const selectFedPackages = statement<
  { ids: readonly number[]; labels: readonly string[] },
  FedPackageRow
>(
  'select_fed_packages',
  `select k.id, k.label, k.unit, k.status, k.multiplier,
          k.announced_amount,
          coalesce((select sum(e.delta) from stock_ledger_entries e
             where e.organization_id = :organizationId and e.package_id = k.id and e.cause = 'received'), 0)
            as received_amount
     from packages k
    where k.organization_id = :organizationId and (k.id = any(:ids) or k.label = any(:labels))`,
);

/** Locks the package against stock movements and changes. */
export const lockPackage = statement<{ id: number }, { id: number }>(
  'lock_package',
  `select id from packages where organization_id = :organizationId and id = :id for update`,
);

/** In key order, after the balances that will change (see receive-stock.ts). */
export const lockPackages = statement<{ ids: readonly number[] }, { id: number }>(
  'lock_packages',
  `select id from packages where organization_id = :organizationId and id = any(:ids) order by id
      for no key update`,
);

export const selectPackageOnHand = statement<{ id: number }, { on_hand: string }>(
  'select_package_on_hand',
  `select coalesce(sum(on_hand), 0) as on_hand from stock_balances
    where organization_id = :organizationId and package_id = :id`,
);

const detailAssignments = Object.entries(packageDetailColumns)
  .map(([name, column]) => `${column} = :${name}`)
  .join(', ');

export const updatePackageDetails = statement<{ id: number } & PackageDetails, never>(
  'update_package_details',
  `update packages set ${detailAssignments} where organization_id = :organizationId and id = :id`,
);

/** The changes of a package by a reception. */
export const updateReceivedPackage = statement<
  {
    id: number;
    productId: number;
    optionId: number | null;
    costPerUnit: string;
    multiplier: string;
    receivedAt: string;
  },
  never
>(
  'update_received_package',
  `update packages
      set status = 'received', product_id = :productId, product_option_id = :optionId, cost_per_unit = :costPerUnit,
          multiplier = :multiplier, received_at = coalesce(received_at, :receivedAt)
    where organization_id = :organizationId and id = :id`,
);

export const finishPackageRow = statement<{ id: number; finishedAt: string }, never>(
  'finish_package_row',
  `update packages set status = 'finished', finished_at = :finishedAt
    where organization_id = :organizationId and id = :id`,
);

export const voidPackageRow = statement<
  { id: number; label: string; voidReason: string; finishedAt: string },
  never
>(
  'void_package_row',
  `update packages set status = 'finished', finished_at = coalesce(finished_at, :finishedAt), label = :label,
          void_reason = :voidReason
    where organization_id = :organizationId and id = :id`,
);

export const rejectPackageRow = statement<{ id: number; reason: string; returnedAt: string }, never>(
  'reject_package_row',
  `update packages set status = 'transfer-returned', transfer_returned_at = :returnedAt, void_reason = :reason
    where organization_id = :organizationId and id = :id`,
);

/** A package that was rejected may come again with another manifest: the former one is then void (D53). */
export const releaseRejectedLabels = statement<{ labels: readonly string[]; suffix: string }, never>(
  'release_rejected_labels',
  `update packages set label = 'void-' || label || '-' || :suffix::text
    where organization_id = :organizationId and label = any(:labels) and status = 'transfer-returned'
      and void_reason is not null`,
);

export const selectPackagesOfTransfers = statement<{ transferIds: readonly number[] }, PackageRow>(
  'select_packages_of_transfers',
  `select ${packageColumns}
     from packages k
     join package_changes g on g.organization_id = k.organization_id and g.package_id = k.id
    where k.organization_id = :organizationId and k.compliance_transfer_id = any(:transferIds)
    order by k.id`,
);

/** The state of a package known from another system. */
export const stampImportedPackage = statement<
  {
    id: number;
    finishedAt: string | null;
    shippedAt: string | null;
    transferredAt: string | null;
    transferReturnedAt: string | null;
  },
  never
>(
  'stamp_imported_package',
  `update packages set finished_at = :finishedAt, shipped_at = :shippedAt, transferred_at = :transferredAt,
          transfer_returned_at = :transferReturnedAt
    where organization_id = :organizationId and id = :id`,
);
