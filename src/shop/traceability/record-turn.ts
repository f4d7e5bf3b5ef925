import { afterTurn, type ReportTurn } from '../../engines/state-reports/report-lifecycle.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { announceReports } from './announce-report.ts';
import type { LaneParts } from './lane-parts.ts';
import { insertSteps, type ReportRow } from './state-report-queries.ts';
import { type Turn, type TurnFacts, turnStatements } from './turn-report.ts';

const wordsOf: Readonly<Record<ReportTurn, string>> = {
  send: 'It is sent.',
  done: 'The state has it.',
  refuse: 'The state refuses it.',
  'put-off': 'It could not be sent.',
  'lose-sight': 'The state may have it. It is looked for before it is sent again.',
  miss: 'The state does not have it. It is sent again.',
  overtake: 'A later report says all that it says.',
  'enter-by-hand': "It was entered on the state's website.",
};

/** Commits a turn of a report with the step of its life; integrators hear of what ends well or badly. */
export async function recordTurn(
  parts: Pick<LaneParts, 'context' | 'organization'>,
  report: ReportRow,
  turn: ReportTurn,
  facts: TurnFacts,
): Promise<void> {
  await recordTurns(parts, [{ report, turn, facts }]);
}

/**
 * Commits turns of several reports at once. Resolves to the ids of those that took theirs: others were settled meanwhile, by a person or
 * by a later report of the sale.
 */
export async function recordTurns(
  { context, organization }: Pick<LaneParts, 'context' | 'organization'>,
  turns: readonly Turn[],
): Promise<ReadonlySet<number>> {
  if (turns.length === 0) return new Set();
  const nowMs = context.clock.now();
  const createdAt = isoTimestamp(nowMs);
  const stepIds = await context.ids.take(turns.length);
  return context.database.write(
    organization,
    async (tx) => {
      const [changed] = await tx.run(turnStatements(turns, nowMs));
      const ids = new Set(changed.map(({ id }) => id));
      const done = turns.flatMap((it, at) => (ids.has(it.report.id) ? [{ ...it, id: stepIds[at]! }] : []));
      tx.queue(
        ...insertSteps(
          done.map(({ report, turn, facts, id }) => ({
            ...{ reportId: report.id, id, state: afterTurn(report.state, turn)!, createdAt },
            words: facts.problem === null ? wordsOf[turn] : `${wordsOf[turn]} ${facts.problem}`,
          })),
        ),
      );
      await announceReports(
        tx,
        context,
        nowMs,
        done.flatMap(({ report, turn }) => (isEnd(turn) ? [{ event: eventOf[turn], report }] : [])),
      );
      return ids;
    },
    { countsAsChange: turns.some(({ turn }) => isEnd(turn)) },
  );
}

const eventOf = { done: 'order.reported', refuse: 'report.refused' } as const;

const isEnd = (turn: ReportTurn): turn is keyof typeof eventOf => Object.hasOwn(eventOf, turn);
