import {
  batchesOf,
  overtaken,
  type Queued,
  type ReportState,
  type ReportTurn,
  sendable,
  settleMs,
  waitMsAfter,
} from '../../engines/state-reports/report-lifecycle.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import { tripWayOf } from '../../engines/state-reports/trip-report.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { releaseLane, setProblem } from './connection-queries.ts';
import { holdLane, keepLane, type LaneParts, whileHeld } from './lane-parts.ts';
import { isProbeDue, probeConnection } from './probe-connection.ts';
import { queuedAs } from './queued-report.ts';
import { readPackages } from './read-packages.ts';
import { readReceipts, readReceiptsNow, receiptsEveryMs } from './read-receipts.ts';
import { recordTurn, recordTurns } from './record-turn.ts';
import { checkDifferences, goOnComparing } from './run-comparison.ts';
import {
  adjustmentsThere,
  preparedAdjustment,
  preparedFinish,
  seenAdjustment,
  seenFinish,
} from './send-adjustment.ts';
import {
  type Prepared,
  preparedReceipt,
  type ReceiptTasks,
  receiptTasks,
  type Seen,
  seenReceipt,
} from './send-receipt.ts';
import { preparedTrip, seenTrip } from './send-trip.ts';
import {
  isOfTrip,
  isReceipt,
  type ReportKind,
  type ReportRow,
  selectCarriedAtState,
  selectOpenReports,
  selectWaitingAdjustments,
} from './state-report-queries.ts';
import type { Turn, TurnFacts } from './turn-report.ts';
import { voidSurplus } from './void-surplus.ts';

/** Reports that are loaded at once. */
const openAtOnce = 400;
/** More never wait. */
const adjustmentsMax = 5_000;
/** A license that the state does not let in is tried again after that. */
const lockedOutMs = 5 * 60_000;

const looks: Readonly<Record<ReportKind, (parts: LaneParts, report: ReportRow) => Promise<Seen>>> = {
  ...{ sale: seenReceipt, correction: seenReceipt, void: seenReceipt },
  ...{ adjustment: seenAdjustment, finish: seenFinish },
  ...{
    trip: seenTrip,
    departure: seenTrip,
    restock: seenTrip,
    delivery: seenTrip,
    'trip-end': seenTrip,
    'trip-void': seenTrip,
  },
};

/**
 * One turn of work for a license: what may be at the state is looked for, what waits is sent, oldest first, and what people did on
 * the state's website is read in. One worker has a license at a time. Resolves to whether it had the license.
 */
export async function runLane(parts: LaneParts): Promise<boolean> {
  const { context, organization, connection, worker } = parts;
  const { database, clock } = context;
  const lane = await holdLane(parts);
  if (lane === undefined) return false;
  parts.beat('leased');
  const isOpen = await isLetIn(parts);
  let hasMore = false;
  if (isOpen) {
    const open = await clearUp(parts);
    if (await catchUp(parts, lane.receipts_read_until)) await sendAll(parts, open);
    // Between readings nothing new is known of the state: a turn that only sends stays cheap.
    if (await readReceipts(parts, lane.receipts_read_until)) await voidSurplus(parts);
    if (await readPackages(parts, lane.packages_read_until)) await checkDifferences(parts);
    hasMore = await goOnComparing(parts);
  }
  parts.beat('before the release');
  const waitMs = hasMore ? 0 : isOpen ? receiptsEveryMs : lockedOutMs;
  const nextAt = isoTimestamp(clock.now() + waitMs);
  await database.write(
    organization,
    async (tx) => tx.queue(releaseLane({ connectionId: connection.id, worker, nextAt })),
    { countsAsChange: false },
  );
  return true;
}

/** Whether the state lets the license in: asked once a day, and whenever it did not. */
async function isLetIn(parts: LaneParts): Promise<boolean> {
  const { connection, context } = parts;
  if (!isProbeDue(connection, context.clock.now())) return true;
  return (await probeConnection(parts)) === null;
}

function openReports({ context, organization, connection }: LaneParts): Promise<ReportRow[]> {
  const open = selectOpenReports({ connectionId: connection.id, limit: openAtOnce });
  return context.database.read(organization, open).then(([rows]) => rows);
}

/**
 * What was being sent when a worker died may be at the state; what may be there is looked for. Resolves to the open reports; null: they
 * have changed by that.
 */
async function clearUp(parts: LaneParts): Promise<readonly ReportRow[] | null> {
  const nowMs = parts.context.clock.now();
  const open = await openReports(parts);
  const old = overtaken(open.filter(isReceipt).map((it) => ({ ...it, orderId: it.order_id })));
  for (const report of old) await recordTurn(parts, report, 'overtake', { problem: null });
  const unclear = open.filter(
    ({ state, next_at: nextAt }) => state === 'sending' || (state === 'unknown' && nextAt <= nowMs),
  );
  for (const report of unclear) {
    if (report.state === 'sending') {
      const nextAtMs = (report.sent_at ?? nowMs) + settleMs;
      await recordTurn(parts, report, 'lose-sight', {
        ...{ problem: 'The service stopped while it was sent.', nextAtMs },
      });
    } else await lookFor(parts, report);
  }
  return old.length + unclear.length === 0 ? open : null;
}

async function lookFor(parts: LaneParts, report: ReportRow): Promise<void> {
  parts.beat('before looking');
  const seen = await looks[report.kind](parts, report);
  parts.beat('after looking');
  switch (seen.kind) {
    case 'there':
      return recordTurn(parts, report, 'done', { problem: null, recordId: seen.recordId });
    case 'not-there': {
      const words = refusalIn(report);
      if (words !== null && (await isInVehicle(parts, report))) {
        const nextAtMs = parts.context.clock.now() + waitMsAfter(report.attempts);
        const problem = `${words} A trip has the package with it: it is tried again until that is back.`;
        return recordTurn(parts, report, 'miss', { problem, nextAtMs });
      }
      if (words !== null) return recordTurn(parts, report, 'refuse', { problem: words });
      return recordTurn(parts, report, 'miss', { problem: null });
    }
    case 'contradiction':
      return recordTurn(parts, report, 'refuse', { problem: seen.words });
    case 'unclear': {
      const nextAtMs = parts.context.clock.now() + waitMsAfter(report.attempts);
      const problem = refusalIn(report) === null ? seen.words : report.problem;
      return recordTurn(parts, report, 'lose-sight', { problem, nextAtMs });
    }
  }
}

/**
 * Before a process sends anything for a license, it reads what the state has: its database may have been restored from a backup, and what
 * waits there may have been sent since. False: that could not be read.
 */
async function catchUp(parts: LaneParts, receiptsReadUntilMs: number | null): Promise<boolean> {
  const { caughtUp, connection, context, organization } = parts;
  const license = `${organization} ${connection.id}`;
  if (caughtUp.has(license)) return true;
  if (!(await readReceiptsNow(parts, receiptsReadUntilMs))) return false;
  const [waiting] = await context.database.read(
    organization,
    selectWaitingAdjustments({ connectionId: connection.id, limit: adjustmentsMax }),
  );
  const there = await adjustmentsThere(parts, waiting);
  if (typeof there === 'string') return false;
  for (const report of there) await recordTurn(parts, report, 'done', { problem: null });
  for (const report of (await openReports(parts)).filter((it) => isOfTrip(it) && it.state === 'waiting')) {
    const seen = await seenTrip(parts, report);
    if (seen.kind === 'unclear') return false;
    const { recordId } = seen.kind === 'there' ? seen : { recordId: undefined };
    if (recordId !== undefined) await recordTurn(parts, report, 'done', { problem: null, recordId });
  }
  caughtUp.add(license);
  return true;
}

/** Whether a trip has a package of the report on its ledger: some systems take no other sale of it until that trip is back. */
async function isInVehicle({ context, organization, connection }: LaneParts, report: ReportRow) {
  if (tripWayOf(connection.flags) !== 'ledger' || !(isReceipt(report) || report.kind === 'trip'))
    return false;
  const carried = selectCarriedAtState({ connectionId: connection.id });
  const [labels] = await context.database.read(organization, carried);
  return labels.some(({ label }) => report.packages.includes(label));
}

/**
 * What the state is to have no longer. That it says so is not believed: its lists show what changed, so that what did not would never be
 * read again, and a sale that is made anew would stand there twice.
 */
const lookedAtAfter: ReadonlySet<ReportKind> = new Set(['void', 'finish', 'trip-void']);

/** The outcome of a call, once the state shows it where that is asked for. */
async function asShown(parts: LaneParts, report: ReportRow, outcome: WriteOutcome): Promise<WriteOutcome> {
  if (outcome.kind !== 'done' || !lookedAtAfter.has(report.kind)) return outcome;
  const seen = await looks[report.kind](parts, report);
  if (seen.kind === 'there') return outcome;
  if (seen.kind !== 'not-there') return { kind: 'unsure', words: seen.words };
  const words = 'The state said that it is done, and shows that it is not.';
  return { kind: 'without-effect', words };
}

/** `held`: something holds back others; `stop`: the state takes nothing at the moment, or another worker has the license. */
type After = 'through' | 'held' | 'stop';

/** Sends what may go out, until nothing may, or the state cannot take more. `loaded`: what is open, as far as that was loaded just now. */
async function sendAll(parts: LaneParts, loaded: readonly ReportRow[] | null): Promise<void> {
  for (let known = loaded; ; known = null) {
    const open = known ?? (await openReports(parts));
    const nowMs = parts.context.clock.now();
    const ready = sendable(open.map((report) => queuedAs(report, nowMs)));
    if (ready.length === 0) return;
    const after = await sendInBatches(parts, ready);
    if (after === 'stop') return;
    // That was all there was.
    if (after === 'through' && ready.length === open.length && open.length < openAtOnce) return;
  }
}

/** Sends reports of which none waits for how another one ends. What became of a batch is committed together with the next one's sending. */
async function sendInBatches(parts: LaneParts, ready: readonly (Queued & ReportRow)[]): Promise<After> {
  const tasks = await receiptTasks(parts, ready.filter(isReceipt));
  let sent: SentBatch = { after: 'through', ended: [] };
  for (const batch of batchesOf(ready, parts.callsAtOnce)) {
    const { ended } = sent;
    if (!(await keepLane(parts))) sent = { after: 'stop', ended };
    else sent = await whileHeld(parts, () => sendBatch(parts, batch, tasks, ended));
    if (sent.after !== 'through') break;
  }
  await recordTurns(parts, sent.ended);
  return sent.after;
}

/** So often the state may say that something is done which is not: then a person has to see to it. */
const withoutEffectMax = 5;

/** What the state said while it is looked for all the same. */
const refusalPrefix = 'The state said no: ';

/**
 * A refusal is believed once the report was looked for: of a call that was carried out twice, the second is refused because of the
 * first. What was refused without a call needs no look.
 */
function afterRefusal(state: ReportState, words: string, nowMs: number): [ReportTurn, TurnFacts] {
  if (state === 'waiting') return ['refuse', { problem: words }];
  return ['lose-sight', { problem: `${refusalPrefix}${words}`, nextAtMs: nowMs + settleMs }];
}

/** The words of a refusal that is not believed yet; null: there was none. */
function refusalIn({ problem }: ReportRow): string | null {
  return problem?.startsWith(refusalPrefix) ? problem.slice(refusalPrefix.length) : null;
}

interface SentBatch {
  readonly after: After;
  /** What became of its reports, which is still to be committed. */
  readonly ended: readonly Turn[];
}

/**
 * Sends reports that do not depend on each other. That they are being sent is committed before the calls, with what became of the batch
 * before. What a person or a later report of the sale settled by then is not sent.
 */
async function sendBatch(
  parts: LaneParts,
  batch: readonly ReportRow[],
  tasks: ReceiptTasks,
  endedBefore: readonly Turn[],
): Promise<SentBatch> {
  // The state is asked what stands there before something is changed, and that may take long.
  const isNew = batch.every(({ kind }) => kind === 'sale');
  if (!isNew) await recordTurns(parts, endedBefore);
  const prepared = await prepare(parts, batch, tasks);
  const sending = prepared.flatMap(({ report, kind }): Turn[] =>
    kind === 'call' ? [{ report, turn: 'send', facts: { problem: null } }] : [],
  );
  const turned = await recordTurns(parts, [...(isNew ? endedBefore : []), ...sending]);
  const sent = prepared.filter(({ kind, report }) => kind === 'known' || turned.has(report.id));
  const settled = await Promise.allSettled(
    sent.map(async (it) => {
      if (it.kind === 'known') return it.outcome;
      parts.beat('before the call');
      const outcome = await it.call();
      parts.beat('after the call');
      return asShown(parts, it.report, outcome);
    }),
  );
  const outcomes = settled.map((it) => {
    if (it.status === 'rejected') throw it.reason;
    return it.value;
  });
  parts.beat('before the outcome');
  const nowMs = parts.context.clock.now();
  const ended = sent.map(({ kind, report }, at): Turn => {
    const now: ReportRow =
      kind === 'call' ? { ...report, state: 'sending', attempts: report.attempts + 1 } : report;
    const [turn, facts] = turnAfter(now, outcomes[at]!, nowMs);
    return { report: now, turn, facts };
  });
  await noteLockedOut(parts, outcomes);
  const isStopped = outcomes.some(({ kind }) => kind === 'later' || kind === 'locked-out');
  const isThrough = outcomes.every(({ kind }) => kind === 'done');
  return { after: isStopped ? 'stop' : isThrough ? 'through' : 'held', ended };
}

/** In their order. */
function prepare(
  parts: LaneParts,
  batch: readonly ReportRow[],
  tasks: ReceiptTasks,
): Promise<(Prepared & { readonly report: ReportRow })[]> {
  return Promise.all(
    batch.map(async (report) => {
      if (isReceipt(report)) return { ...(await preparedReceipt(parts, report, tasks)), report };
      if (isOfTrip(report)) return { ...(await preparedTrip(parts, report)), report };
      if (report.kind === 'finish') return { ...(await preparedFinish(parts, report)), report };
      return { ...preparedAdjustment(parts, report), report };
    }),
  );
}

/** What the outcome of a call, or what was known without one, means for a report. */
function turnAfter(
  { state, attempts }: ReportRow,
  outcome: WriteOutcome,
  nowMs: number,
): [ReportTurn, TurnFacts] {
  const waited = nowMs + waitMsAfter(attempts);
  switch (outcome.kind) {
    case 'done':
      return ['done', { problem: null, recordId: outcome.ids[0] ?? null }];
    case 'refused':
      return afterRefusal(state, outcome.words, nowMs);
    case 'later': {
      const nextAtMs = outcome.afterMs === null ? waited : nowMs + outcome.afterMs;
      return ['put-off', { problem: outcome.words, nextAtMs }];
    }
    case 'locked-out':
      return ['put-off', { problem: outcome.words, nextAtMs: waited }];
    case 'without-effect':
      if (attempts >= withoutEffectMax) return afterRefusal(state, outcome.words, nowMs);
      return ['lose-sight', { problem: outcome.words, nextAtMs: nowMs + settleMs }];
    case 'unsure':
      return [
        state === 'waiting' ? 'put-off' : 'lose-sight',
        { problem: outcome.words, nextAtMs: nowMs + settleMs },
      ];
  }
}

/** The state does not let the license in any more. */
async function noteLockedOut(
  { context, organization, connection }: LaneParts,
  outcomes: readonly WriteOutcome[],
): Promise<void> {
  const locked = outcomes.find((it) => it.kind === 'locked-out');
  if (locked === undefined) return;
  await context.database.write(
    organization,
    async (tx) => tx.queue(setProblem({ id: connection.id, problem: locked.words })),
    { countsAsChange: false },
  );
}
