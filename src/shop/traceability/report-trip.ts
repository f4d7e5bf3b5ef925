import { hash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { dutyOn } from '../../engines/jurisdictions/duty.ts';
import { externalNumber } from '../../engines/state-reports/external-number.ts';
import { type ReceiptLine, receiptOfSale } from '../../engines/state-reports/receipt-of-sale.ts';
import { alarmAtMs, dueAtMs } from '../../engines/state-reports/report-deadline.ts';
import {
  linesTogether,
  linesWithout,
  type TripContent,
  type TripWay,
  tripWayOf,
} from '../../engines/state-reports/trip-report.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { isoTimestamp, localDateAt, wallTimeAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { selectLabelledPackages, selectPackageMultipliers } from '../inventory/stock.ts';
import { announceReports } from './announce-report.ts';
import { connectionsOf } from './connection-facts.ts';
import type { ConnectionRow } from './connection-queries.ts';
import { writeStockReport } from './report-adjustment.ts';
import { flagsOf, goodsOf, type ReportedSale } from './reported-sale.ts';
import {
  insertReports,
  insertSteps,
  type ReportKind,
  type ReportRow,
  selectReportsOfTrips,
} from './state-report-queries.ts';
import { ledgerLines, type ToldTrip, toldTrips, tripContentOf } from './told-trips.ts';
import { turnStatement } from './turn-report.ts';

/* What the state is told of trips: before a vehicle leaves, at each stop, and when it is back. */

/** A trip whose goods go into its vehicle. */
export interface LoadedTrip {
  readonly tripId: number;
  readonly loadedAtMs: number;
  /** Null: at once. */
  readonly departsAtMs: number | null;
  readonly stops: readonly {
    readonly sale: ReportedSale;
    /** When it is expected there; null: nothing is known. */
    readonly arrivesAtMs: number | null;
  }[];
}

const hourMs = 3_600_000;

/** What every report of a trip is made with. */
interface Telling {
  readonly tx: TenantTransaction;
  readonly context: Context;
  readonly timeZone: string;
  /** When a sale is due by the state's duty. */
  readonly deadline: string | null;
  readonly nowMs: number;
}

async function tellingOf(tx: TenantTransaction, context: Context, nowMs: number): Promise<Telling> {
  const [[organization]] = await tx.run(selectOrganization({}));
  const { tz: timeZone, state } = organization!;
  const duty = dutyOn(context.law.current.find(state)?.duties, 'reporting', localDateAt(nowMs, timeZone));
  const deadline = duty.known === 'value' ? duty.duty.value.deadline : null;
  return { tx, context, timeZone, deadline, nowMs };
}

/**
 * Writes what the state is to know before a vehicle leaves, in the transaction in which it is loaded: a ledger of all that it carries,
 * or the delivery of each order. Of a trip that was out, it is what is loaded besides: a restock of its ledger, or further deliveries. Does nothing for
 * licenses that report no trips. The goods are still where they are loaded from: that says which license they are of.
 */
export async function reportLoading(
  tx: TenantTransaction,
  context: Context,
  trip: LoadedTrip,
): Promise<void> {
  const connections = await connectionsOf(context, tx);
  if (!connections.some((it) => wayOf(it) !== null)) return;
  const telling = await tellingOf(tx, context, trip.loadedAtMs);
  const { timeZone } = telling;
  const packageIds = trip.stops.flatMap(({ sale }) =>
    sale.goods.flatMap(({ parts }) => parts.map(({ packageId }) => packageId)),
  );
  const [packages] = await tx.run(selectPackageMultipliers({ ids: packageIds.filter((id) => id !== 0) }));
  const multipliers = new Map(packages.map(({ id, multiplier }) => [id, multiplier]));
  const departsAtMs = trip.departsAtMs ?? trip.loadedAtMs;
  const before = await toldTripsOf(tx, trip.tripId);
  const firstMs = trip.loadedAtMs + before.reduce((count, { loaded }) => count + loaded.length, 0);
  const wall = (atMs: number) => wallTimeAt(atMs, timeZone).text;
  for (const connection of connections) {
    const way = wayOf(connection);
    if (way === null) continue;
    const stops = trip.stops.flatMap(({ sale, arrivesAtMs }, at) => {
      const goods = goodsOf(sale, connections, connection, multipliers);
      const { isMedical, customerId } = sale;
      // Each delivery has a moment of its own: the state gives no other name to it.
      const facts = { soldAtMs: firstMs + at, timeZone, isMedical, customerId, goods };
      const { content, problems } = receiptOfSale(facts, flagsOf(connection));
      if (content.lines.length === 0 && problems.length === 0) return [];
      const times = { departsAt: wall(departsAtMs), arrivesAt: wall(arrivesAtMs ?? departsAtMs + hourMs) };
      return [{ sale, content: { ...content, ...times, way, back: [] }, problems }];
    });
    if (stops.length === 0) continue;
    const isRestock = way === 'ledger' && before.some((it) => it.connectionId === connection.id);
    const kind = isRestock ? 'restock' : 'trip';
    const told = { tripId: trip.tripId, kind, dueMs: departsAtMs } as const;
    if (way === 'each') {
      for (const { sale, content, problems } of stops) {
        await write(telling, connection, { ...told, sale, content, problems });
      }
      continue;
    }
    const content: TripContent = {
      ...{ ...stops[0]!.content, customerType: 'Consumer', patientId: null },
      soldAt: wall(trip.loadedAtMs),
      lines: linesTogether(stops.flatMap((stop) => stop.content.lines)),
    };
    const problems = [...new Set(stops.flatMap((stop) => stop.problems))];
    await write(telling, connection, { ...told, sale: null, content, problems });
  }
}

const wayOf = ({ system, flags }: ConnectionRow): TripWay | null =>
  system === 'metrc' ? tripWayOf(flags) : null;

interface TripReport {
  readonly tripId: number;
  readonly kind: ReportKind;
  /** The order that it is about; null: the whole trip. */
  readonly sale: Pick<ReportedSale, 'orderId' | 'orderNumber'> | null;
  readonly content: TripContent;
  readonly problems: readonly string[];
  readonly dueMs: number | null;
  /** How many reports of the order there are. */
  readonly earlier?: number;
}

/** Writes a report of a trip. */
async function write(
  { tx, context, nowMs: happenedMs }: Telling,
  connection: Pick<ConnectionRow, 'id'>,
  { tripId, kind, sale, content, problems, dueMs, earlier = 0 }: TripReport,
): Promise<void> {
  // The worker goes by the deployment's clock; that of a sandbox may be ahead.
  const nowMs = Math.min(happenedMs, context.wallClock.now());
  const at = isoTimestamp(nowMs);
  const [id, stepId] = await context.ids.take(2);
  const payload = JSON.stringify(content);
  const problem = problems.length === 0 ? null : problems.join(' ');
  const state = problem === null ? 'waiting' : 'refused';
  const labels = [...new Set([...content.lines, ...content.back].map(({ label }) => label))];
  tx.queue(
    insertReports({
      ...{ id: id!, connectionId: connection.id, kind, revision: earlier + 1, tripId, packageId: null },
      ...{ orderId: sale?.orderId ?? null, orderNumber: sale?.orderNumber ?? null },
      externalNumber: externalNumber(`T${id}`, 1),
      ...{ payload, digest: hash('sha256', payload), state, problem, at, occurredAt: at },
      packages: new TextArray(labels),
      dueAt: dueMs === null ? null : isoTimestamp(dueMs),
      alarmAt: isoTimestamp(problem === null ? alarmAtMs(nowMs, dueMs) : nowMs),
    }),
    ...insertSteps([
      {
        ...{ reportId: id!, id: stepId!, state, createdAt: at },
        words: problem ?? 'Written with the step of the trip.',
      },
    ]),
  );
  if (problem === null) return;
  const report = { id: id!, order_id: sale?.orderId ?? null, trip_id: tripId, kind, revision: earlier + 1 };
  await announceReports(tx, context, nowMs, [{ event: 'report.refused', report }]);
}

async function toldTripsOf(tx: TenantTransaction, tripId: number): Promise<ToldTrip[]> {
  const [rows] = await tx.run(selectReportsOfTrips({ tripIds: [tripId] }));
  return toldTrips(rows);
}

/** The moment of an act, in place of the moment at which the trip was loaded. */
function at(telling: Telling, row: ReportRow, atMs: number, changes: Partial<TripContent>): TripContent {
  const { text: soldAt, alsoMs } = wallTimeAt(atMs, telling.timeZone);
  return {
    ...{ ...tripContentOf(row), soldAt, soldAtUtc: isoTimestamp(atMs), lines: [], back: [] },
    alsoReadAs: alsoMs === null ? null : isoTimestamp(alsoMs),
    ...changes,
  };
}

/** Writes a step of a trip for the state: it leaves, is back, or is unloaded before it leaves. `atMs`: when that was. */
export async function reportTripStep(
  tx: TenantTransaction,
  context: Context,
  tripId: number,
  step: 'departed' | 'returned' | 'unloaded',
  atMs: number,
): Promise<void> {
  if (step === 'departed') return reportDeparture(tx, context, tripId, atMs);
  return step === 'returned' ? reportReturn(tx, context, tripId, atMs) : reportUnloading(tx, context, tripId);
}

/** Writes that the vehicle of a ledger leaves: once, because a restock says itself when it leaves again. */
async function reportDeparture(
  tx: TenantTransaction,
  context: Context,
  tripId: number,
  atMs: number,
): Promise<void> {
  const trips = (await toldTripsOf(tx, tripId)).filter(
    ({ way, since }) => way === 'ledger' && !since.some(({ kind }) => kind === 'departure'),
  );
  if (trips.length === 0) return;
  const telling = await tellingOf(tx, context, context.clock.now());
  for (const { connectionId, loaded } of trips) {
    const content = at(telling, loaded[0]!, atMs, {});
    const told = { tripId, kind: 'departure', sale: null, problems: [], dueMs: endOfDay(telling) } as const;
    await write(telling, { id: connectionId }, { ...told, content });
  }
}

/** A ledger is finished by the end of the day. */
const endOfDay = ({ nowMs, timeZone }: Telling) => dueAtMs('23:59 of the day', nowMs, timeZone);

/** Writes that a trip was unloaded before it left: the state is told that there is none. */
async function reportUnloading(tx: TenantTransaction, context: Context, tripId: number): Promise<void> {
  const trips = await toldTripsOf(tx, tripId);
  if (trips.length === 0) return;
  const telling = await tellingOf(tx, context, context.clock.now());
  for (const { connectionId, loaded } of trips) {
    for (const row of loaded) {
      if (row.state === 'waiting' || row.state === 'refused') {
        const stepId = await context.ids.takeOne();
        tx.queue(
          turnStatement(row, 'overtake', { problem: null }, telling.nowMs),
          ...insertSteps([
            {
              ...{ reportId: row.id, id: stepId, state: 'superseded', words: 'The trip was unloaded.' },
              createdAt: isoTimestamp(telling.nowMs),
            },
          ]),
        );
      }
      const sale = saleOf(row);
      const content = at(telling, row, telling.nowMs, { lines: tripContentOf(row).lines });
      const told = { tripId, kind: 'trip-void', sale, content, problems: [], dueMs: null } as const;
      await write(telling, { id: connectionId }, { ...told, earlier: row.revision });
    }
  }
}

const saleOf = ({ order_id: orderId, order_number: orderNumber }: ReportRow) =>
  orderId === null ? null : { orderId, orderNumber: orderNumber! };

/** Writes that nothing was handed over at a stop: its goods come back. A ledger says so at its end. */
export async function reportStopBack(
  tx: TenantTransaction,
  context: Context,
  { tripId, orderId, atMs }: { readonly tripId: number; readonly orderId: string; readonly atMs: number },
): Promise<void> {
  const isIt = (row: ReportRow) => row.order_id === orderId;
  for (const { connectionId, way, loaded, since } of await toldTripsOf(tx, tripId)) {
    const row = loaded.find(isIt);
    if (way === 'ledger' || row === undefined || since.some(isIt)) continue;
    const telling = await tellingOf(tx, context, context.clock.now());
    const content = at(telling, row, atMs, { back: tripContentOf(row).lines });
    const dueMs = dueAtMs(telling.deadline, telling.nowMs, telling.timeZone);
    const told = { tripId, kind: 'delivery', sale: saleOf(row), content, problems: [], dueMs } as const;
    await write(telling, { id: connectionId }, { ...told, earlier: row.revision });
  }
}

/** Writes that a trip is back, with all that it brings back. */
async function reportReturn(
  tx: TenantTransaction,
  context: Context,
  tripId: number,
  atMs: number,
): Promise<void> {
  const trips = (await toldTripsOf(tx, tripId)).filter(({ way }) => way === 'ledger');
  if (trips.length === 0) return;
  const telling = await tellingOf(tx, context, context.clock.now());
  for (const trip of trips) {
    const { connectionId, loaded, since } = trip;
    const sold = since.filter(({ kind }) => kind === 'delivery');
    const soldLines = sold.flatMap((row) => tripContentOf(row).lines);
    const back = linesWithout(ledgerLines(trip), soldLines);
    const content = at(telling, loaded[0]!, atMs, { back });
    const told = { tripId, kind: 'trip-end', sale: null, problems: [], dueMs: endOfDay(telling) } as const;
    await write(telling, { id: connectionId }, { ...told, content });
  }
}

/**
 * Writes the hand-over of an order whose goods the state knows to be in a vehicle, and later what comes back of it. Resolves to false for
 * an order that is not sold from a trip: a receipt tells of it.
 */
export async function reportSaleOfTrip(
  tx: TenantTransaction,
  context: Context,
  sale: ReportedSale,
  earlier: readonly ReportRow[],
  multipliers: ReadonlyMap<number, string>,
): Promise<boolean> {
  const delivered = earlier.filter(
    (it) => it.kind === 'delivery' && it.state !== 'superseded' && tripContentOf(it).lines.length > 0,
  );
  if (delivered.length > 0) {
    const telling = await tellingOf(tx, context, context.clock.now());
    for (const row of delivered) await tellWhatIsLeft(telling, row, sale, earlier, multipliers);
    return true;
  }
  const trips = sale.tripId === null ? [] : await toldTripsOf(tx, sale.tripId);
  const open = trips.filter(({ way, loaded, since }) =>
    way === 'ledger'
      ? !since.some(({ kind }) => kind === 'trip-end')
      : loaded.some((row) => row.order_id === sale.orderId) &&
        !since.some((row) => row.order_id === sale.orderId),
  );
  if (open.length === 0) return false;
  const telling = await tellingOf(tx, context, context.clock.now());
  for (const trip of open) await tellHandOver(telling, trip, sale, open, multipliers);
  return true;
}

async function tellHandOver(
  telling: Telling,
  trip: ToldTrip,
  sale: ReportedSale,
  all: readonly ToldTrip[],
  multipliers: ReadonlyMap<number, string>,
): Promise<void> {
  const { context, tx, timeZone, nowMs } = telling;
  const { connectionId, way, loaded } = trip;
  const row = way === 'ledger' ? loaded.at(-1)! : loaded.find((it) => it.order_id === sale.orderId)!;
  const carried = tripContentOf(row);
  const labels = new Set((way === 'ledger' ? ledgerLines(trip) : carried.lines).map(({ label }) => label));
  // What left several licenses on one trip is told by the license that has the package.
  const goods = sale.goods.filter(
    ({ parts }) =>
      all.length === 1 || parts.some(({ packageLabel: label }) => label !== null && labels.has(label)),
  );
  const connection = (await connectionsOf(context, tx)).find(({ id }) => id === connectionId);
  if (connection === undefined) return;
  const { content, problems } = receiptOf(telling, connection, { ...sale, goods }, multipliers);
  const lines = content.lines;
  if (lines.length === 0 && problems.length === 0) return;
  const { departsAt, arrivesAt } = carried;
  const back = way === 'each' ? linesWithout(carried.lines, lines) : [];
  const dueMs = way === 'ledger' ? endOfDay(telling) : dueAtMs(telling.deadline, nowMs, timeZone);
  await write(telling, connection, {
    ...{ tripId: sale.tripId!, kind: 'delivery', sale, problems, dueMs, earlier: row.revision },
    content: { ...content, way, departsAt, arrivesAt, back },
  });
}

function receiptOf(
  { timeZone }: Telling,
  connection: ConnectionRow,
  { soldAtMs, isMedical, customerId, goods }: ReportedSale,
  multipliers: ReadonlyMap<number, string>,
) {
  const sold = goods.map(({ parts, ...rest }) => ({
    ...rest,
    parts: parts.map(({ packageId, packageLabel, packageUnit, amount }) => ({
      ...{ label: packageLabel, unit: packageUnit, amount },
      multiplier: multipliers.get(packageId) ?? '1',
    })),
  }));
  return receiptOfSale({ soldAtMs, timeZone, isMedical, customerId, goods: sold }, flagsOf(connection));
}

/**
 * What comes back after a delivery is told as adjustments of its packages: the state's interface has no correction of a delivery
 * that is over.
 */
async function tellWhatIsLeft(
  telling: Telling,
  row: ReportRow,
  sale: ReportedSale,
  earlier: readonly ReportRow[],
  multipliers: ReadonlyMap<number, string>,
): Promise<void> {
  const { tx, context, timeZone, nowMs } = telling;
  const connection = (await connectionsOf(context, tx)).find(({ id }) => id === row.connection_id);
  if (connection === undefined) return;
  const told = tripContentOf(row).lines;
  const back = earlier.filter(
    (it) => it.kind === 'adjustment' && it.connection_id === row.connection_id && it.state !== 'superseded',
  );
  const left = receiptOf(telling, connection, sale, multipliers).content.lines;
  const [packages] = await tx.run(selectLabelledPackages({ labels: told.map(({ label }) => label) }));
  for (const { label, quantity, unit } of told) {
    const sold = back
      .map((it) => JSON.parse(it.payload) as { readonly label: string; readonly quantity: string })
      .reduce((sum, it) => (it.label === label ? sum.minus(it.quantity) : sum), decimal(quantity));
    const now = quantityIn(left, label);
    const packageId = packages.find((it) => it.label === label)?.id;
    if (packageId === undefined || sold.eq(now)) continue;
    await writeStockReport(tx, context, connection, {
      ...{ kind: 'adjustment', packageId, atMs: Math.min(nowMs, context.wallClock.now()) },
      ofSale: { orderId: sale.orderId, orderNumber: sale.orderNumber, revision: earlier.length + 1 },
      content: {
        ...{ label, quantity: decimalText(sold.minus(now)), unit, date: localDateAt(nowMs, timeZone) },
        ...{ reason: null, isWaste: false },
      },
    });
  }
}

const quantityIn = (lines: readonly ReceiptLine[], label: string) =>
  decimal(lines.find((it) => it.label === label)?.quantity ?? '0');
