import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { importQueue } from '../src/shop/queue/queue.ts';

/** The queue: arrival and admission in minutes ago. The newest customers are here for the first time. */
const waiting = [
  { from: 'end', at: 4, checkedInMinutesAgo: 21, admittedMinutesAgo: 12 },
  { from: 'start', at: 7, checkedInMinutesAgo: 16, admittedMinutesAgo: 5 },
  { from: 'end', at: 2, checkedInMinutesAgo: 9, admittedMinutesAgo: null },
  { from: 'start', at: 3, checkedInMinutesAgo: 6, admittedMinutesAgo: null },
  { from: 'end', at: 1, checkedInMinutesAgo: 2, admittedMinutesAgo: null },
] as const;

/** Fills the queue with the shop's customers; `customers` has the longest-standing first. */
export async function loadQueue(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  customerIds: readonly number[],
): Promise<void> {
  const nowMs = context.clock.now();
  const agoMs = (minutes: number): number => nowMs - minutes * 60_000;
  await importQueue(
    context,
    origin,
    organization,
    waiting.map(({ from, at, checkedInMinutesAgo, admittedMinutesAgo }) => ({
      customerId: customerIds.at(from === 'end' ? -at : at)!,
      checkedInAtMs: agoMs(checkedInMinutesAgo),
      admittedAtMs: admittedMinutesAgo === null ? null : agoMs(admittedMinutesAgo),
    })),
  );
}
