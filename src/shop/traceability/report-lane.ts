import {
  overtaken,
  type ReportState,
  type ReportTurn,
  sendable,
  settleMs,
  waitMsAfter,
} from '../../engines/state-reports/report-lifecycle.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { releaseLane, setProblem } from './connection-queries.ts';
import { holdLane, keepLane, type LaneParts } from './lane-parts.ts';
import { isProbeDue, probeConnection } from './probe-connection.ts';
import { readPackages } from './read-packages.ts';
import { readReceipts, readReceiptsNow, receiptsEveryMs } from './read-receipts.ts';
import { recordTurn } from './record-turn.ts';
import { checkDifferences, goOnComparing } from './run-comparison.ts';
import {
  adjustmentsThere,
  seenAdjustment,
  seenFinish,
  sentAdjustment,
  sentFinish,
} from './send-adjustment.ts';
import { type Seen, type Sent, seenReceipt, sentReceipt } from './send-receipt.ts';
import {
  type ReportKind,
  type ReportRow,
  selectOpenReports,
  selectWaitingAdjustments,
} from './state-report-queries.ts';
import type { TurnFacts } from './turn-report.ts';
import { voidSurplus } from './void-surplus.ts';

/** Reports that are loaded at once. */
const openAtOnce = 400;
/** More never wait. */
const adjustmentsMax = 5_000;
/** A license that the state does not let in is tried again after that. */
const lockedOutMs = 5 * 60_000;

interface Way {
  readonly sent: (parts: LaneParts, report: ReportRow) => Promise<Sent>;
  readonly seen: (parts: LaneParts, report: ReportRow) => Promise<Seen>;
}

const asReceipt: Way = { sent: sentReceipt, seen: seenReceipt };

/** How each kind is sent, and looked for. */
const ways: Readonly<Record<ReportKind, Way>> = {
  ...{ sale: asReceipt, correction: asReceipt, void: asReceipt },
  adjustment: { sent: sentAdjustment, seen: seenAdjustment },
  finish: { sent: sentFinish, seen: seenFinish },
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
    await clearUp(parts);
    if (await catchUp(parts, lane.receipts_read_until)) await sendAll(parts);
    await readReceipts(parts, lane.receipts_read_until);
    await readPackages(parts, lane.packages_read_until);
    await voidSurplus(parts);
    await checkDifferences(parts);
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

/** What was being sent when a worker died may be at the state; what may be there is looked for. */
async function clearUp(parts: LaneParts): Promise<void> {
  const nowMs = parts.context.clock.now();
  const open = await openReports(parts);
  for (const report of overtaken(open.map((it) => ({ ...it, orderId: it.order_id })))) {
    await recordTurn(parts, report, 'overtake', { problem: null });
  }
  for (const report of open) {
    if (report.state === 'sending') {
      const nextAtMs = (report.sent_at ?? nowMs) + settleMs;
      await recordTurn(parts, report, 'lose-sight', {
        ...{ problem: 'The service stopped while it was sent.', nextAtMs },
      });
    } else if (report.state === 'unknown' && report.next_at <= nowMs) {
      await lookFor(parts, report);
    }
  }
}

async function lookFor(parts: LaneParts, report: ReportRow): Promise<void> {
  parts.beat('before looking');
  const seen = await ways[report.kind].seen(parts, report);
  parts.beat('after looking');
  switch (seen.kind) {
    case 'there':
      return recordTurn(parts, report, 'done', { problem: null, recordId: seen.recordId });
    case 'not-there': {
      const words = refusalIn(report);
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
  caughtUp.add(license);
  return true;
}

/** Sends what may go out, until nothing may, or the state cannot take more. */
async function sendAll(parts: LaneParts): Promise<void> {
  for (;;) {
    const nowMs = parts.context.clock.now();
    const open = await openReports(parts);
    const ready = sendable(
      open.map((report) => ({ ...report, orderId: report.order_id, isDue: report.next_at <= nowMs })),
    );
    if (ready.length === 0) return;
    for (const report of ready) {
      if (!(await keepLane(parts))) return;
      const after = await sendOne(parts, report);
      if (after === 'stop') return;
      // What is not through may hold back others of this batch.
      if (after === 'held') break;
    }
  }
}

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

/** Sends one report. `stop`: the state takes nothing at the moment. */
async function sendOne(parts: LaneParts, report: ReportRow): Promise<'through' | 'held' | 'stop'> {
  const { context, organization, connection } = parts;
  const sent = await ways[report.kind].sent(parts, report);
  const nowMs = context.clock.now();
  const waited = { nextAtMs: nowMs + waitMsAfter(sent.attempts) };
  const outcome: WriteOutcome = sent.outcome;
  const now = { ...report, state: sent.state, attempts: sent.attempts };
  parts.beat('before the outcome');
  switch (outcome.kind) {
    case 'done':
      await recordTurn(parts, now, 'done', { problem: null, recordId: outcome.ids[0] ?? null });
      return 'through';
    case 'refused':
      await recordTurn(parts, now, ...afterRefusal(sent.state, outcome.words, nowMs));
      return 'held';
    case 'later':
      await recordTurn(parts, now, 'put-off', {
        ...{ problem: outcome.words, nextAtMs: nowMs + (outcome.afterMs ?? waitMsAfter(sent.attempts)) },
      });
      return 'stop';
    case 'locked-out':
      await recordTurn(parts, now, 'put-off', { problem: outcome.words, ...waited });
      await context.database.write(
        organization,
        async (tx) => tx.queue(setProblem({ id: connection.id, problem: outcome.words })),
        { countsAsChange: false },
      );
      return 'stop';
    case 'unsure':
      await recordTurn(parts, now, sent.state === 'waiting' ? 'put-off' : 'lose-sight', {
        ...{ problem: outcome.words, nextAtMs: nowMs + settleMs },
      });
      return 'held';
  }
}
