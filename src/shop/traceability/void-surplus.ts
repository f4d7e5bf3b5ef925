import { isoTimestamp } from '../../kernel/local-time.ts';
import type { LaneParts } from './lane-parts.ts';
import { whatHinders } from './send-receipt.ts';
import { insertSteps, selectSurplusReceipts } from './state-report-queries.ts';

const surplusAtOnce = 100;

/**
 * Voids receipts that the state made twice of one call: they stand under our number beside the one that we know. Nothing else is
 * ever voided by itself.
 */
export async function voidSurplus(parts: LaneParts): Promise<void> {
  const { context, organization, connection, client } = parts;
  const [surplus] = await context.database.read(
    organization,
    selectSurplusReceipts({ connectionId: connection.id, limit: surplusAtOnce }),
  );
  for (const { state_record_id: recordId, report_id: reportId } of surplus) {
    parts.beat('before voiding a double');
    let shown = await whatHinders(parts, recordId, true);
    if (shown === null) {
      await client.write('DELETE', `/sales/v2/receipts/${recordId}`);
      // Whatever the state said: it is voided once it shows that.
      shown = await whatHinders(parts, recordId, true);
    }
    parts.beat('after voiding a double');
    if (shown?.kind !== 'done') continue;
    const nowMs = context.clock.now();
    const stepId = await context.ids.takeOne();
    await context.database.write(
      organization,
      async (tx) => {
        tx.queue(
          ...insertSteps([
            {
              ...{ reportId, id: stepId, state: 'accepted', createdAt: isoTimestamp(nowMs) },
              words: `The state had made a second receipt of it, ${recordId}, which is voided.`,
            },
          ]),
        );
      },
      { countsAsChange: false },
    );
  }
}
