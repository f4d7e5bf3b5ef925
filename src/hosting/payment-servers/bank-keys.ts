import type { DeskCall, DeskReply, PaymentWorld } from './provider-desk.ts';

const tokenMs = 30 * 60_000;
const keyKeptMs = 24 * 3_600_000;

/** What a shop is given. */
export interface BankAccount {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly merchantId: number;
}

interface Kept {
  readonly body: string;
  readonly reply: DeskReply;
  readonly atMs: number;
}

/** Who may call a bank, for half an hour, and what was answered to the keys of idempotency, for a day. */
export class BankKeys {
  readonly #world: PaymentWorld;
  readonly #account: BankAccount;
  readonly #tokens = new Map<string, number>();
  readonly #kept = new Map<string, Kept>();

  constructor(world: PaymentWorld, account: BankAccount) {
    this.#world = world;
    this.#account = account;
  }

  token({ body }: DeskCall): DeskReply {
    const { apiKey, apiSecret, merchantId } = this.#account;
    if (body.apiKey !== apiKey || body.apiSecret !== apiSecret || body.id !== merchantId) {
      return bankError(401, 'AP002', 'Bad credentials');
    }
    const token = `token-${this.#world.draw().toString(36).slice(2)}-${this.#tokens.size}`;
    this.#tokens.set(token, this.#world.nowMs() + tokenMs);
    return { status: 200, body: { token, TTL: tokenMs / 1_000 } };
  }

  mayCall({ headers }: DeskCall): boolean {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return (this.#tokens.get(bearer ?? '') ?? 0) > this.#world.nowMs();
  }

  /** The same key answers the same, once its work has ended; another body is refused; after a day it is forgotten. */
  once({ headers, body }: DeskCall, work: () => DeskReply): DeskReply {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return work();
    const sent = JSON.stringify(body);
    const kept = this.#keptOf(key);
    if (kept !== undefined) {
      const runsMs = Number(this.#world.settings['key-runs-seconds']) * 1_000;
      if (this.#world.nowMs() - kept.atMs < runsMs) return bankError(400, 'AP1401', 'Still running');
      return kept.body === sent ? kept.reply : bankError(400, 'AP1400', 'Other body');
    }
    const reply = work();
    this.#kept.set(key, { body: sent, reply, atMs: this.#world.nowMs() });
    return reply;
  }

  /** `{}` for a key that is unknown, of another or forgotten. */
  answerOf(key: string): DeskReply {
    return this.#keptOf(key)?.reply ?? { status: 200, body: {} };
  }

  #keptOf(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && this.#world.nowMs() - kept.atMs < keyKeptMs ? kept : undefined;
  }
}

/** A refusal of the bank, often with status 200. */
export function bankError(status: number, code: string, message: string): DeskReply {
  return { status, body: { error: { code, message } } };
}
