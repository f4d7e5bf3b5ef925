import type { ReceiptContent } from '../../engines/state-reports/receipt-of-sale.ts';
import { type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { statement } from '../../platform/statements/statement.ts';
import { selectPackagedStock, selectPackagesForFiles } from '../inventory/stock.ts';
import { compareStock } from './compare-stock.ts';
import { findReceiptDifferences } from './receipt-differences.ts';
import { adjustmentOf } from './send-adjustment.ts';
import { contentOf } from './send-receipt.ts';
import type { StatePackageRow } from './state-package-queries.ts';
import {
  isOfTrip,
  isReceipt,
  type ReportRow,
  selectOpenReports,
  selectReceiptsOfRecords,
  selectReportsOfOrder,
  selectReportsOfTrips,
} from './state-report-queries.ts';
import { selectOpenTrips, type ToldLedger, toldLedgers } from './told-ledgers.ts';

/** What a state would hold that was told all but the reports that are open: a stand-in begins with it. */
export interface StateAsTold {
  /** The receipts that it accepted, as they are now, the oldest first. */
  readonly receipts: readonly {
    readonly recordId: number;
    readonly externalNumber: string;
    readonly acceptedAtMs: number;
    /** A person voided it on the website. */
    readonly isVoid: boolean;
    /** Without lines: it was voided from here. */
    readonly content: ReceiptContent;
  }[];
  readonly packages: readonly {
    readonly label: string;
    readonly productName: string;
    readonly unit: string;
    /** In its unit. */
    readonly quantity: Decimal;
    /** What the shop has read of it at the state; null: it can be sold. */
    readonly block: string | null;
    /** What was adjusted at the state, as a comparison read it. */
    readonly adjustments: StatePackageRow['adjustments'];
  }[];
  /** The ledgers of vehicles that are on their way. */
  readonly ledgers: readonly ToldLedger[];
  /** How many open reports name each package, the package that was named first at the front. */
  readonly openReports: ReadonlyMap<string, number>;
}

/** What a stand-in asks before each turn of work, to see whether it still holds all. */
export interface ToldSoFar {
  /** Packages that open reports name. */
  readonly labels: ReadonlySet<string>;
  /** The newest receipt that the state accepted; identifiers above it are free. */
  readonly highestRecordId: number;
  /** How many steps of trips it accepted. */
  readonly tripSteps: number;
}

const selectHighestRecord = statement<{ connectionId: number }, { id: number | null; trip_steps: number }>(
  'select_highest_state_record',
  `select max(state_record_id) as id,
          (select count(*)::int from state_reports
            where organization_id = :organizationId and connection_id = :connectionId and trip_id is not null
              and state = 'accepted') as trip_steps
     from state_reports where organization_id = :organizationId and connection_id = :connectionId`,
);

const selectAcceptedReceipts = statement<
  { connectionId: number; limit: number },
  { state_record_id: number; external_number: string; payload: string; accepted_at: number }
>(
  'select_accepted_state_receipts',
  // The number stays that of the first report; the newest says what the receipt is now.
  `select * from (
     select state_record_id, (array_agg(external_number order by revision, id))[1] as external_number,
            (array_agg(payload order by revision desc, id desc))[1] as payload, max(settled_at) as accepted_at
       from state_reports
      where organization_id = :organizationId and connection_id = :connectionId and state_record_id is not null
        and kind in ('sale', 'correction', 'void') and state = 'accepted'
      group by state_record_id order by state_record_id desc limit :limit) as r
    order by accepted_at, state_record_id`,
);

const packagesMax = 20_000;
const reportsMax = 1_000;
const receiptsMax = 20_000;

/** What the state was told by a connection so far. */
export async function toldSoFar(
  { database }: Context,
  organization: OrganizationId,
  connectionId: number,
): Promise<ToldSoFar> {
  const [open, [highest]] = await database.read(
    organization,
    selectOpenReports({ connectionId, limit: reportsMax }),
    selectHighestRecord({ connectionId }),
  );
  return {
    labels: new Set(open.flatMap(({ packages }) => packages)),
    highestRecordId: highest?.id ?? 0,
    tripSteps: highest?.trip_steps ?? 0,
  };
}

/** For one connection to an interface. */
export async function stateAsTold(
  context: Context,
  organization: OrganizationId,
  connectionId: number,
): Promise<StateAsTold> {
  const { database, clock } = context;
  const [packages, stock, open, receipts, trips] = await database.read(
    organization,
    selectPackagesForFiles({ finishedSince: isoTimestamp(clock.now()), limit: packagesMax }),
    selectPackagedStock({ only: null, others: [] }),
    selectOpenReports({ connectionId, limit: reportsMax }),
    selectAcceptedReceipts({ connectionId, limit: receiptsMax }),
    selectOpenTrips({ connectionId }),
  );
  const [ofTrips] = await database.read(
    organization,
    selectReportsOfTrips({ tripIds: trips.map(({ trip_id: id }) => id) }),
  );
  const ledgers = toldLedgers(ofTrips, connectionId);
  const onHand = new Map(stock.map((row) => [row.label, decimal(row.on_hand)]));
  const untold = new Map<string, Decimal>();
  const add = (label: string, quantity: Decimal) =>
    untold.set(label, (untold.get(label) ?? zero).plus(quantity));
  for (const report of open) {
    for (const [label, quantity] of await takenBy(context, organization, report)) add(label, quantity);
  }
  for (const { label, quantity } of ledgers.flatMap(({ carried }) => carried))
    add(label, zero.minus(quantity));
  // What people changed at the state, as it was read, is there again.
  const receiptDifferences = await findReceiptDifferences(context, organization);
  const compared = await compareStock(
    context,
    organization,
    receiptDifferences,
    ({ id }) => id === connectionId,
  );
  const adjustments = new Map(compared.map(({ row }) => [row.label, row.adjustments]));
  const differing = new Map<string, Decimal>();
  for (const { row, theirs, expected } of compared) {
    if (row.place !== 'absent') differing.set(row.label, theirs.minus(expected));
  }
  const [read] = await database.read(
    organization,
    selectReceiptsOfRecords({ connectionId, recordIds: receipts.map((it) => it.state_record_id) }),
  );
  const voided = new Set(read.flatMap((it) => (it.is_void ? it.state_record_id : [])));
  const openReports = new Map<string, number>();
  for (const label of open.flatMap((report) => report.packages)) {
    openReports.set(label, (openReports.get(label) ?? 0) + 1);
  }
  return {
    receipts: receipts.map((it) => ({
      ...{ recordId: it.state_record_id, externalNumber: it.external_number },
      ...{ acceptedAtMs: it.accepted_at, isVoid: voided.has(it.state_record_id), content: contentOf(it) },
    })),
    packages: packages.map((it) => ({
      ...{ label: it.label, productName: it.product_name, unit: it.package_unit, block: it.state_block },
      adjustments: adjustments.get(it.label) ?? [],
      quantity: (onHand.get(it.label) ?? zero)
        .div(it.multiplier)
        .plus(untold.get(it.label) ?? zero)
        .plus(differing.get(it.label) ?? zero),
    })),
    ...{ ledgers, openReports },
  };
}

/** What a report, once it is accepted, takes from each package at the state. */
async function takenBy(
  { database }: Context,
  organization: OrganizationId,
  report: ReportRow,
): Promise<(readonly [label: string, quantity: Decimal])[]> {
  if (report.kind === 'finish' || isOfTrip(report)) return [];
  if (report.kind === 'adjustment') {
    const { label, quantity } = adjustmentOf(report);
    return [[label, zero.minus(quantity)]];
  }
  const [reports] = await database.read(organization, selectReportsOfOrder({ orderId: report.order_id! }));
  const told = reports.findLast((it) => isReceipt(it) && it.state === 'accepted');
  const linesOf = (of: ReportRow | undefined) => (of === undefined ? [] : contentOf(of).lines);
  return [
    ...linesOf(report).map(({ label, quantity }) => [label, decimal(quantity)] as const),
    ...linesOf(told).map(({ label, quantity }) => [label, zero.minus(quantity)] as const),
  ];
}
