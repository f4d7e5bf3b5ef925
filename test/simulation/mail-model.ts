import { expect } from 'vitest';
import type { TestReply } from '../harness/test-service.ts';
import type { ModelOrder } from './order-model.ts';
import type { TradingWorld } from './trading-world.ts';

const keptMs = 30 * 86_400_000;
/** The mailbox shows so many. */
const shownMax = 100;

interface PredictedMail {
  readonly kind: string;
  readonly recipient: string;
  readonly atMs: number;
}

/** The mails that the acts of a year bring about: one for each act, however often it was sent or died. */
export class MailModel {
  readonly #mails: PredictedMail[] = [];
  readonly #causes = new Set<string>();

  add(kind: string, recipient: string, atMs: number): void {
    this.#mails.push({ kind, recipient, atMs });
  }

  /** A step of an order, of which its customer hears once. */
  tell(kind: string, { id, account }: ModelOrder, atMs: number): void {
    if (account === null || this.#causes.has(`${kind} ${id}`)) return;
    this.#causes.add(`${kind} ${id}`);
    this.add(kind, account.email, atMs);
  }

  /** The newest that must still be there. */
  newest(): readonly PredictedMail[] {
    const sinceMs = Math.max(...this.#mails.map(({ atMs }) => atMs)) - keptMs;
    return this.#mails
      .slice(-shownMax)
      .filter(({ atMs }) => atMs > sinceMs)
      .toReversed();
  }
}

/** The mailbox has each predicted mail once, in the order of the acts. */
export async function auditMails(world: TradingWorld): Promise<void> {
  const expected = world.mails.newest();
  const { data } = await world.askStaff('GET', '/staff/v1/mails');
  const shown = data
    .slice(0, expected.length)
    .map(({ kind, recipient, createdAt }: TestReply['data']) => [kind, recipient, createdAt]);
  expect(shown).toEqual(
    expected.map(({ kind, recipient, atMs }) => [kind, recipient, new Date(atMs).toISOString()]),
  );
}
