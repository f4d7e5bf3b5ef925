import { textMember } from '../../engines/state-reports/json-members.ts';
import { settleMs } from '../../engines/state-reports/report-lifecycle.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import {
  completionBody,
  deliveryBody,
  departureBody,
  hasRestock,
  hasSale,
  ledgerBody,
  ledgerEndBody,
  ledgerRestockBody,
  ledgerSaleBody,
  readStateTrip,
  type StateTrip,
  type TripPeople,
  type TripWay,
  tripPathOf,
} from '../../engines/state-reports/trip-report.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { LaneParts } from './lane-parts.ts';
import { type Prepared, patientNumberOf, type Seen } from './send-receipt.ts';
import { type ReportRow, selectReportsOfTrips } from './state-report-queries.ts';
import { selectToldTripRecords } from './state-trip-queries.ts';
import { tripContentOf } from './told-trips.ts';

/* Trips at the state: ledgers of what vehicles carry, and deliveries. */

/** What a report changes at the state. */
interface TripCall {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

const refused = (words: string): WriteOutcome => ({ kind: 'refused', words });

/** Prepares a report of a trip. */
export async function preparedTrip(parts: LaneParts, report: ReportRow): Promise<Prepared> {
  const made = await callOf(parts, report);
  if ('kind' in made) return { kind: 'known', outcome: made };
  const call = async (): Promise<WriteOutcome> => {
    const outcome = await parts.client.write(made.method, made.path, made.body);
    if (outcome.kind !== 'done') return outcome;
    if (report.kind !== 'trip') return { kind: 'done', ids: [] };
    if (outcome.ids.length === 1) return outcome;
    return { kind: 'unsure', words: 'The state did not say which trip it is.' };
  };
  return { kind: 'call', call };
}

/** The call that a report is; or what becomes of it without one. */
async function callOf(parts: LaneParts, report: ReportRow): Promise<TripCall | WriteOutcome> {
  const { connection, organization } = parts;
  const content = tripContentOf(report);
  const { way } = content;
  const path = tripPathOf(way);
  const people = await parts.tripPeople(organization, report.trip_id!, report.order_id);
  if (people === null) return refused('The trip is not known here any more.');
  const patientNumber = await patientNumberOf(parts, report);
  if (patientNumber === undefined && report.kind !== 'trip-void') {
    return refused(
      "The state wants the patient's number: enter it at the customer, and send the report again.",
    );
  }
  const told = { content, people, flags: connection.flags, patientNumber: patientNumber ?? null };
  if (report.kind === 'trip') {
    const lacks = whatIsLacking(people, connection.flags);
    if (lacks !== null) return refused(lacks);
    return { method: 'POST', path, body: way === 'ledger' ? ledgerBody(told) : deliveryBody(told) };
  }
  const loaded = await loadedOf(parts, report);
  const recordId = loaded?.state === 'accepted' ? loaded.state_record_id : null;
  if (recordId === null || loaded === undefined) {
    if (loaded?.state === 'done-by-hand') {
      return refused("The trip was entered on the state's website: enter this there, too.");
    }
    return report.kind === 'trip-void'
      ? { kind: 'done', ids: [] }
      : refused('The state does not know of the trip: tell it of the loading first.');
  }
  if (report.kind === 'departure')
    return { method: 'POST', path: `${path}/depart`, body: departureBody(recordId) };
  if (report.kind === 'restock') {
    return { method: 'POST', path: `${path}/restock`, body: ledgerRestockBody(recordId, content) };
  }
  if (report.kind === 'delivery' && way === 'ledger') {
    return { method: 'POST', path: `${path}/sale`, body: ledgerSaleBody(recordId, told) };
  }
  const hindered = await withoutDoubles(parts, loaded, people);
  if (hindered !== null) return hindered;
  switch (report.kind) {
    case 'trip-void':
      return { method: 'DELETE', path: `${path}/${recordId}` };
    case 'trip-end':
      return { method: 'POST', path: `${path}/end`, body: ledgerEndBody(recordId, content) };
    default: {
      const reason = content.back.length === 0 ? null : await returnReason(parts);
      if (reason !== null && typeof reason !== 'string') return reason;
      const said = { reason, note: report.external_number };
      return { method: 'PUT', path: `${path}/complete`, body: completionBody(recordId, content, said) };
    }
  }
}

/** What the state demands of a driver and is not on file here; null: nothing. */
function whatIsLacking({ driver }: TripPeople, flags: Readonly<Record<string, unknown>>): string | null {
  if (driver.licenseNumber === null) {
    return "The state wants the number of the driver's license: enter it at the driver, and send the report again.";
  }
  if (flags.SalesDeliveryRequireZone === true || flags.SalesDeliveryRequireConsumerId === true) {
    return "The state wants a zone or a number of the recipient, which are not kept here: enter it on the state's website.";
  }
  return null;
}

/** The report of the loading that a report goes on with. */
async function loadedOf(
  { context, organization }: LaneParts,
  report: ReportRow,
): Promise<ReportRow | undefined> {
  const [rows] = await context.database.read(
    organization,
    selectReportsOfTrips({ tripIds: [report.trip_id!] }),
  );
  const isEach = tripContentOf(report).way === 'each';
  return rows.findLast(
    (it) =>
      it.kind === 'trip' &&
      it.connection_id === report.connection_id &&
      it.state !== 'superseded' &&
      it.id < report.id &&
      (!isEach || it.order_id === report.order_id),
  );
}

/** The reason of the state that goods name which come back. */
async function returnReason({ client, connection }: LaneParts): Promise<string | WriteOutcome> {
  if (connection.return_reason !== null) return connection.return_reason;
  const listed = await client.list('/sales/v2/deliveries/returnreasons');
  if (listed.kind !== 'rows') return { kind: 'unsure', words: listed.words };
  const names = listed.rows.flatMap((row) => textMember(row, 'Name') ?? []);
  if (names.length === 1) return names[0]!;
  return refused('No reason is chosen that returns of deliveries name: choose one at the license.');
}

/**
 * Voids what the state made a second time of one call: it stands at the same moment with the same vehicle. Null: there is none (any
 * more). What was made a moment ago may not be in its lists yet.
 */
async function withoutDoubles(
  parts: LaneParts,
  loaded: ReportRow,
  people: TripPeople,
): Promise<WriteOutcome | null> {
  const nowMs = parts.context.clock.now();
  if (nowMs - (loaded.settled_at ?? nowMs) < settleMs) {
    return { kind: 'unsure', words: 'The state was told of the loading a moment ago.' };
  }
  const found = await tripsLike(parts, loaded, people, ['active']);
  if (typeof found === 'string') return { kind: 'unsure', words: found };
  const { way } = tripContentOf(loaded);
  for (const { id, isVoid } of found) {
    if (isVoid || id === loaded.state_record_id) continue;
    parts.beat('before voiding a double');
    await parts.client.write('DELETE', `${tripPathOf(way)}/${id}`);
    // Whatever the state said: it is voided once it shows that.
    const shown = await tripAt(parts, way, id);
    if (typeof shown === 'string' || !shown.isVoid)
      return { kind: 'unsure', words: 'A second trip of one call could not be voided.' };
  }
  return null;
}

/** Around the moment of writing, lists are searched from so long before. */
const searchedBeforeMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;

/** Trips at the state that are told as this one is, and are none that another report has made; words: they could not be read. */
async function tripsLike(
  { client, connection, context, organization }: LaneParts,
  loaded: ReportRow,
  { vehicle }: TripPeople,
  lists: readonly string[],
): Promise<StateTrip[] | string> {
  const { way, soldAt } = tripContentOf(loaded);
  const nowMs = context.clock.now();
  const startMs = Math.max((loaded.sent_at ?? loaded.occurred_at) - searchedBeforeMs, nowMs - dayMs);
  const window = { lastModifiedStart: isoTimestamp(startMs), lastModifiedEnd: isoTimestamp(nowMs) };
  const found: StateTrip[] = [];
  for (const list of lists) {
    const listed = await client.list(`${tripPathOf(way)}/${list}`, window);
    if (listed.kind !== 'rows') return listed.words;
    for (const row of listed.rows) {
      const trip = readStateTrip(row, way);
      if (trip?.at === soldAt && trip.licensePlate === vehicle.licensePlate) found.push(trip);
    }
  }
  const recordIds = found.map(({ id }) => id);
  const told = selectToldTripRecords({ connectionId: connection.id, recordIds });
  const [records] = await context.database.read(organization, told);
  const isOthers = (id: number) => id !== loaded.state_record_id && records.some((it) => it.id === id);
  return found.filter(({ id }) => !isOthers(id)).toSorted((a, b) => a.id - b.id);
}

/** A trip of the state; text: why it could not be read. */
async function tripAt({ client }: LaneParts, way: TripWay, recordId: number): Promise<StateTrip | string> {
  const read = await client.read(`${tripPathOf(way)}/${recordId}`);
  if (read.kind !== 'found') return read.words;
  return readStateTrip(read.body, way) ?? 'The state sent no trip.';
}

/** Looks for a report of a trip. */
export async function seenTrip(parts: LaneParts, report: ReportRow): Promise<Seen> {
  const content = tripContentOf(report);
  const people = await parts.tripPeople(parts.organization, report.trip_id!, report.order_id);
  if (people === null) return { kind: 'unclear', words: 'The trip is not known here any more.' };
  if (report.kind === 'trip') {
    const found = await tripsLike(parts, report, people, ['active', 'inactive']);
    if (typeof found === 'string') return { kind: 'unclear', words: found };
    const live = found.find(({ isVoid }) => !isVoid);
    if (live !== undefined) return { kind: 'there', recordId: live.id };
    const [voided] = found;
    if (voided === undefined) return { kind: 'not-there' };
    return { kind: 'contradiction', words: `Trip ${voided.id} was voided on the state's website.` };
  }
  const recordId = (await loadedOf(parts, report))?.state_record_id ?? null;
  if (recordId === null) return { kind: 'not-there' };
  const trip = await tripAt(parts, content.way, recordId);
  if (typeof trip === 'string') return { kind: 'unclear', words: trip };
  const isThere = {
    departure: trip.isDeparted,
    restock: hasRestock(trip, content),
    delivery: content.way === 'ledger' ? hasSale(trip, content) : trip.isCompleted,
    'trip-end': trip.isCompleted,
    'trip-void': trip.isVoid,
  }[report.kind as 'departure' | 'restock' | 'delivery' | 'trip-end' | 'trip-void'];
  if (isThere) return { kind: 'there', recordId: null };
  if (trip.isVoid)
    return { kind: 'contradiction', words: `Trip ${recordId} was voided on the state's website.` };
  return { kind: 'not-there' };
}
