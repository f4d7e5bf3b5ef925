import { isExternalNumber } from '../../engines/state-reports/external-number.ts';
import type { ReceiptLine } from '../../engines/state-reports/receipt-of-sale.ts';
import {
  answersTo,
  type ComparedStock,
  expectedAtState,
  type Quantities,
  quantitiesOf,
  type ReportChain,
  type StockDifferenceKind,
  stockDifference,
  underWay,
} from '../../engines/state-reports/stock-difference.ts';
import { linesTogether, linesWithout } from '../../engines/state-reports/trip-report.ts';
import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type OfLocations,
  type PackagedStockRow,
  selectLabelledPackages,
  selectPackagedStock,
} from '../inventory/stock.ts';
import { type ConnectionRow, selectConnections, selectLanes } from './connection-queries.ts';
import type { ReceiptDifference } from './receipt-differences.ts';
import { adjustmentOf } from './send-adjustment.ts';
import { contentOf } from './send-receipt.ts';
import { type StatePackageRow, selectStatePackages } from './state-package-queries.ts';
import {
  type ReceiptRow,
  type ReportRow,
  selectCarriedAtState,
  selectReceiptsOfRecords,
  selectReportsOfOrders,
  selectReportsOfTrips,
  selectStockReports,
} from './state-report-queries.ts';
import { tripContentOf } from './told-trips.ts';

/** A package at the state beside the one here. */
export interface ComparedPackage {
  /** Null: they say the same. */
  readonly kind: StockDifferenceKind | null;
  readonly connectionId: number;
  readonly row: StatePackageRow;
  readonly known: Omit<PackagedStockRow, 'on_hand'> | null;
  /** In the unit of the package, with what is under way: what the state would have by our books. */
  readonly expected: Decimal;
  readonly theirs: Decimal;
  readonly underWay: Decimal;
  readonly answers: readonly ('state-is-right' | 'we-are-right')[];
  /** Open reports about it. */
  readonly open: readonly ReportRow[];
}

/** Reports that were settled so shortly before a reading may not be in it. */
const settledSinceMs = 5 * 60_000;
const quantityDecimals = 6;

/** Which locations a connection reports for. */
export function locationsOf(connection: ConnectionRow, all: readonly ConnectionRow[]): OfLocations {
  const { inventory_location_id: only } = connection;
  return { only, others: only === null ? all.flatMap((it) => it.inventory_location_id ?? []) : [] };
}

/**
 * Compares the stock of each package at the state, as it was read last, with the ledger and the reports under way. What a
 * report that is just being carried out is about cannot be said at that moment, and is left out.
 */
export async function compareStock(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  receiptDifferences: readonly ReceiptDifference[],
  of: (connection: ConnectionRow) => boolean = () => true,
): Promise<ComparedPackage[]> {
  const [connections, lanes] = await database.read(organization, selectConnections({}), selectLanes({}));
  const found: ComparedPackage[] = [];
  for (const connection of connections) {
    const readUntilMs = lanes.find((it) => it.connection_id === connection.id)?.packages_read_until;
    if (readUntilMs == null || !connection.is_on || !of(connection)) continue;
    const differing = receiptDifferences.filter((it) => it.connectionId === connection.id);
    found.push(
      ...(await compareLicense({ database, organization, connection, connections, readUntilMs, differing })),
    );
  }
  return found;
}

interface License {
  readonly database: Context['database'];
  readonly organization: OrganizationId;
  readonly connection: ConnectionRow;
  readonly connections: readonly ConnectionRow[];
  readonly readUntilMs: number;
  readonly differing: readonly ReceiptDifference[];
}

async function compareLicense(license: License): Promise<ComparedPackage[]> {
  const { database, organization, connection, connections, readUntilMs, differing } = license;
  const connectionId = connection.id;
  const [stock, reports] = await database.read(
    organization,
    selectPackagedStock(locationsOf(connection, connections)),
    selectStockReports({ connectionId, since: isoTimestamp(readUntilMs - settledSinceMs) }),
  );
  const orderIds = [...new Set(reports.flatMap(({ order_id: id }) => id ?? []))];
  const labels = [
    ...new Set([...stock.map(({ label }) => label), ...reports.flatMap(({ packages }) => packages)]),
  ];
  const tripIds = [...new Set(reports.flatMap(({ trip_id: id }) => id ?? []))];
  const [ofOrders, ofTrips, carried, rows] = await database.read(
    organization,
    selectReportsOfOrders({ connectionId, orderIds }),
    selectReportsOfTrips({ tripIds }),
    selectCarriedAtState({ connectionId }),
    selectStatePackages({ connectionId, labels }),
  );
  const recordIds = ofOrders.flatMap(({ state_record_id: id }) => id ?? []);
  const [receipts, known] = await database.read(
    organization,
    selectReceiptsOfRecords({ connectionId, recordIds }),
    selectLabelledPackages({ labels: rows.map(({ label }) => label) }),
  );
  const chains = [
    ...adjustmentChains(reports),
    ...orderChains(ofOrders, receipts),
    ...tripChains(ofTrips, connectionId),
  ];
  const knownOf = new Map(known.map((row) => [row.label, row]));
  const onHand = new Map(stock.map((row) => [row.label, decimal(row.on_hand).div(row.multiplier)]));
  const isOpen = ({ state }: ReportRow) => ['waiting', 'sending', 'unknown', 'refused'].includes(state);
  const open = reports.filter(isOpen);
  const loading = open.flatMap(({ kind, packages }) =>
    kind === 'trip' || kind === 'restock' ? packages : [],
  );
  const inVehicles = new Set([...carried.map(({ label }) => label), ...loading]);
  return rows.flatMap((row) => {
    const coming = underWay(chains, row.label, Math.max(readUntilMs, row.read_at));
    // What is in a vehicle is on no shelf, whether the state knows of it or not: it is compared when the trip is back.
    if (coming === null || inVehicles.has(row.label)) return [];
    const mine = knownOf.get(row.label) ?? null;
    const compared: ComparedStock = {
      ...{ place: row.place, theirUnit: row.unit, ourUnit: mine?.unit ?? null, underWay: coming },
      isReady: mine?.status === 'ready',
      ours: (onHand.get(row.label) ?? zero).round(quantityDecimals, 1),
      theirs: decimal(row.quantity),
      byReceipts: differing.reduce((sum, { effects }) => sum.plus(effects.get(row.label) ?? zero), zero),
      adjusted: row.adjustments.flatMap(({ quantity, note }) =>
        note.split(/\s+/).some(isExternalNumber) ? [] : [decimal(quantity)],
      ),
    };
    const kind = stockDifference(compared);
    return [
      {
        ...{ kind, connectionId, row, known: mine, theirs: compared.theirs, underWay: coming },
        expected: expectedAtState(compared),
        answers: kind === null ? [] : answersHere(kind, compared, mine),
        open: open.filter(({ packages }) => packages.includes(row.label)),
      },
    ];
  });
}

/** Nothing is added to a package that is finished here, and none is taken below zero: the state's quantity can be negative. */
function answersHere(kind: StockDifferenceKind, it: ComparedStock, known: ComparedPackage['known']) {
  // A receipt that is voided later can leave a finished package with a quantity, which only the state's website puts right.
  if (it.place === 'ended' && it.ours.eq(zero)) return [];
  const isEndedHere = known !== null && known.status !== 'received';
  const wouldAdd = it.theirs.gt(expectedAtState(it));
  const wouldBe = (it.place === 'active' ? it.theirs : zero).plus(it.underWay);
  const canBeTaken = !(isEndedHere && wouldAdd) && !wouldBe.lt(zero);
  return answersTo(kind).filter((answer) => answer === 'we-are-right' || canBeTaken);
}

/** Each adjustment is a chain of its own. */
function adjustmentChains(reports: readonly ReportRow[]): ReportChain[] {
  return reports
    .filter(({ kind }) => kind === 'adjustment')
    .map((report) => ({
      ...{ isAdjustment: true, atState: null },
      reports: [stockReport(report, quantitiesOf([adjustmentOf(report)]))],
    }));
}

/** Each trip or delivery is a chain: it takes what is loaded, and gives back what is not handed over. */
function tripChains(reports: readonly ReportRow[], connectionId: number): ReportChain[] {
  const ofIt = reports.filter((it) => it.connection_id === connectionId);
  const subject = (it: ReportRow) =>
    `${it.trip_id} ${tripContentOf(it).way === 'each' ? it.order_id : 'ledger'}`;
  return [...groupBy(ofIt, subject).values()].map((all) => {
    let carried: readonly ReceiptLine[] = [];
    const chain = all.flatMap((report) => {
      const { way, lines, back } = tripContentOf(report);
      if (report.kind === 'trip') carried = lines;
      else if (report.kind === 'restock') carried = linesTogether([...carried, ...lines]);
      else if (report.kind === 'trip-void') carried = [];
      else if (report.kind === 'trip-end' || (report.kind === 'delivery' && way === 'each')) {
        carried = linesWithout(carried, back);
      } else return [];
      return [stockReport(report, quantitiesOf(carried))];
    });
    return { isAdjustment: false, atState: null, reports: chain };
  });
}

function orderChains(reports: readonly ReportRow[], receipts: readonly ReceiptRow[]): ReportChain[] {
  const receiptOf = new Map(receipts.map((row) => [row.state_record_id, row]));
  return [...groupBy(reports, (it) => it.order_id).values()].map((ofOrder) => {
    const latest = ofOrder.findLast(({ state, state_record_id: id }) => state === 'accepted' && id !== null);
    const receipt = latest && receiptOf.get(latest.state_record_id!);
    const isRead = receipt !== undefined && receipt.read_at >= (latest!.settled_at ?? 0);
    return {
      ...{ isAdjustment: false, atState: isRead ? quantitiesAt(receipt) : null },
      reports: ofOrder.map((report) => stockReport(report, quantitiesOf(contentOf(report).lines))),
    };
  });
}

function quantitiesAt({ is_void: isVoid, lines }: ReceiptRow): Quantities | null {
  return isVoid ? new Map() : lines && quantitiesOf(lines);
}

function stockReport(report: ReportRow, quantities: Quantities) {
  const { id, revision, state, sent_at: sentAtMs, settled_at: settledAtMs } = report;
  return { id, revision, state, sentAtMs, settledAtMs, quantities };
}

/** Decimal text in the unit of the package. */
export const quantityText = (value: Decimal): string => decimalText(value.round(quantityDecimals, 1));
