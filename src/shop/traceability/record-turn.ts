import { afterTurn, type ReportTurn } from '../../engines/state-reports/report-lifecycle.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { announceReport } from './announce-report.ts';
import type { LaneParts } from './lane-parts.ts';
import { insertSteps, type ReportRow } from './state-report-queries.ts';
import { type TurnFacts, turnStatement } from './turn-report.ts';

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
  { context, organization }: Pick<LaneParts, 'context' | 'organization'>,
  report: ReportRow,
  turn: ReportTurn,
  facts: TurnFacts,
): Promise<void> {
  const nowMs = context.clock.now();
  const stepId = await context.ids.takeOne();
  const isEnd = turn === 'done' || turn === 'refuse';
  await context.database.write(
    organization,
    async (tx) => {
      const [[changed]] = await tx.run(turnStatement(report, turn, facts, nowMs));
      // A person has settled it meanwhile.
      if (changed === undefined) return;
      const state = afterTurn(report.state, turn)!;
      const said = facts.problem === null ? wordsOf[turn] : `${wordsOf[turn]} ${facts.problem}`;
      tx.queue(
        ...insertSteps([
          { reportId: report.id, id: stepId, state, words: said, createdAt: isoTimestamp(nowMs) },
        ]),
      );
      if (!isEnd) return;
      const event = turn === 'done' ? 'order.reported' : 'report.refused';
      await announceReport(tx, context, nowMs, event, report);
    },
    { countsAsChange: isEnd },
  );
}
