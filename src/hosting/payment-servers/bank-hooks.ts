import { createHmac } from 'node:crypto';
import type { DeskHook, PaymentWorld } from './provider-desk.ts';
import { pythonJson } from './python-json.ts';

/** What it tells of payments. */
export const bankTopics = [
  'preauthorized_transaction_created',
  'transaction_completed',
  'transaction_voided',
  'transaction_refunded',
  'transaction_declined',
  'transaction_resolved',
] as const;

/** Pauses before it is tried again, in minutes; then it is given up. */
const pausesMinutes = [1, 9, 50, 120, 180];

interface Due {
  readonly topic: string;
  readonly body: object;
  readonly dueMs: number;
  readonly tries: number;
}

/** The webhooks of a bank: one address for each topic, signed, tried again where no answer comes. */
export class BankHooks {
  readonly signingKey = 'bank-signing-key';
  readonly #world: PaymentWorld;
  readonly #urls = new Map<string, string>();
  #due: Due[] = [];

  constructor(world: PaymentWorld) {
    this.#world = world;
  }

  /** Posting again replaces it. */
  register(topic: string, url: string): void {
    this.#urls.set(topic, url);
  }

  /** The date has no zone, and is that of a clock which may be wrong. */
  tell(topic: string, data: object): void {
    const skewMs = Number(this.#world.settings['hook-skew-minutes']) * 60_000;
    const date = new Date(this.#world.nowMs() + skewMs).toISOString().slice(0, 19).replace('T', ' ');
    const body = { topic, payloadVersion: '2.0', data, date };
    this.#due.push({ topic, body, dueMs: this.#world.nowMs(), tries: 0 });
  }

  /** What is to be sent now, with its signature, in the order of the switch. */
  take(): DeskHook[] {
    const { settings } = this.#world;
    const due = this.#due.filter(({ dueMs }) => dueMs <= this.#world.nowMs());
    this.#due = this.#due.filter((it) => !due.includes(it));
    if (settings['hook-loss'] === 'all') return [];
    const copies = settings['hook-copies'] === '2' ? [...due, ...due] : due;
    const ordered = settings['hook-order'] === 'reversed' ? copies.toReversed() : copies;
    return ordered.flatMap((it) => {
      const url = this.#urls.get(it.topic);
      if (url === undefined) return [];
      return { ...this.signed(url, it.body), sent: (status: number) => this.#sent(it, status) };
    });
  }

  /** A webhook to an address, signed. */
  signed(url: string, body: object): DeskHook {
    const text = pythonJson({ ...body, url }, this.#world.settings['hook-escape'] === 'escaped');
    const signature = createHmac('sha256', this.signingKey).update(text).digest('hex');
    return { url, body: JSON.stringify(body), headers: { 'ap-signature': signature } };
  }

  #sent(it: Due, status: number): void {
    const isOk = status >= 200 && status < 300 && this.#world.settings['hook-accepts'] === '2xx';
    const pause = pausesMinutes[it.tries];
    if (isOk || status === 200 || pause === undefined) return;
    this.#due.push({ ...it, tries: it.tries + 1, dueMs: this.#world.nowMs() + pause * 60_000 });
  }
}
