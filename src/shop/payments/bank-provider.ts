import { isSignedByBank } from './bank-signature.ts';
import type {
  AccountCheck,
  AskedIntent,
  AskedRefund,
  OpenAccount,
  PaidOutLine,
  PaymentProvider,
  ProviderFetch,
  ProviderKind,
  RefundSighting,
  Sighting,
} from './provider.ts';

const askMsMax = 10_000;
/** The token is good for 30 minutes; it is renewed before. */
const tokenMs = 25 * 60_000;
const pagesMax = 20;

/**
 * Pay by bank: the customer agrees behind a link, which moves nothing; we capture. Refusals come with status 200 and an `error`. An
 * authorization that is older than what the pages list is not found again: its intent is over long before.
 */
export const bankKind: ProviderKind = {
  id: 'bank',
  accountFields: ['merchant'],
  secretFields: ['apiKey', 'apiSecret', 'signingKey'],
  inPerson: false,
  open: (account, fetch, now) => new BankProvider(account, fetch, now),
};

interface Row {
  readonly id: string;
  readonly referenceId: string;
  readonly status: string;
  readonly amount?: { readonly amount?: unknown };
  readonly userName?: string;
  readonly expiryDate?: string;
  readonly returnCode?: string;
}

type Answer = { readonly body: Readonly<Record<string, unknown>>; readonly code: string | null } | null;

class BankProvider implements PaymentProvider {
  readonly capabilities = {
    ...{ inPerson: false, captures: true, refundNeedsCard: false, refundRepeats: true },
    startMsMax: 4 * askMsMax,
  };
  readonly #calls: BankCalls;
  readonly #merchantId: number;
  readonly #signingKey: string;
  readonly #now: () => number;

  constructor(account: OpenAccount, fetch: ProviderFetch, now: () => number) {
    this.#calls = new BankCalls(account, fetch, now);
    this.#merchantId = Number(account.account.merchant ?? 0);
    this.#signingKey = account.secrets.signingKey ?? '';
    this.#now = now;
  }

  async check(): Promise<AccountCheck> {
    return this.#calls.check();
  }

  async create({ reference, askedCents, phone, email }: AskedIntent): Promise<Sighting> {
    const answer = await this.#calls.ask('POST', '/paymentLink', {
      ...{ merchantId: this.#merchantId, amount: { amount: askedCents, currency: 'USD' } },
      ...{ referenceId: reference, paymentType: 'preauth' },
      ...{ ...(phone !== null && { phone }), ...(email !== null && { email }) },
    });
    if (answer === null) return { seen: 'silence' };
    // The link is there from a try whose answer was lost, and is not shown again. What is agreed to behind it is not captured.
    if (answer.code === 'AP314') {
      return {
        seen: 'canceled',
        facts: { code: answer.code, advice: 'The bank gave no link. Ask for the payment again.' },
      };
    }
    if (answer.code !== null) return { seen: 'rejected', facts: { code: answer.code } };
    const { url, id } = (answer.body.paymentLink ?? {}) as { url?: unknown; id?: unknown };
    return {
      seen: 'waiting',
      ...(typeof url === 'string' && { link: url }),
      ...(typeof id === 'string' && { providerId: id }),
    };
  }

  async read(intent: AskedIntent): Promise<Sighting> {
    const transaction = await this.#calls.findTransaction(intent.reference);
    if (transaction === null) return { seen: 'silence' };
    if (transaction !== 'absent') return transactionSeen(transaction);
    const preauth = await this.#calls.findPreauth(intent.reference);
    if (preauth === null) return { seen: 'silence' };
    if (preauth !== 'absent') return preauthSeen(preauth, this.#now());
    // Nothing moves before we capture, so a link that was not used is no doubt about money, and may be asked for again.
    return intent.lacksLink ? this.create(intent) : { seen: 'waiting' };
  }

  /** Captured before, perhaps by a call whose answer was lost, or over: a read tells. */
  async capture(intent: AskedIntent): Promise<Sighting> {
    const preauth = await this.#calls.findPreauth(intent.reference);
    if (preauth === null) return { seen: 'silence' };
    if (preauth === 'absent') return this.read(intent);
    const answer = await this.#calls.ask('POST', '/capturePreauthTransaction', { id: preauth.id });
    return answer === null ? { seen: 'silence' } : this.read(intent);
  }

  async cancel(intent: AskedIntent): Promise<Sighting> {
    const preauth = await this.#calls.findPreauth(intent.reference);
    if (preauth === null) return { seen: 'silence' };
    if (preauth === 'absent') {
      const after = await this.read({ ...intent, lacksLink: false });
      return after.seen === 'waiting' ? { seen: 'canceled' } : after;
    }
    const answer = await this.#calls.ask('DELETE', `/preauthTransaction/${preauth.id}`);
    return answer === null ? { seen: 'silence' } : this.read(intent);
  }

  async refund(intent: AskedIntent, { reference, amountCents }: AskedRefund): Promise<RefundSighting> {
    const id = await this.#transactionIdOf(intent);
    if (id === null) return { seen: 'silence' };
    const body = { id, amount: { amount: amountCents, currency: 'USD' }, referenceId: reference };
    const key = { 'Idempotency-Key': uuidOf(reference) };
    const answer = await this.#calls.ask('POST', '/reverseTransaction', body, key);
    if (answer === null || answer.code === 'AP1401') return { seen: 'silence' };
    if (answer.code !== null) return { seen: 'rejected', code: answer.code };
    const { status } = (answer.body.refund ?? answer.body.transaction ?? {}) as { status?: unknown };
    return { seen: status === 'void' || status === 'processed' ? 'paid' : 'pending' };
  }

  /**
   * Refunds have no reference of ours in its lists: all of them are paid, or we wait. One of an amount that the bank has given up only is
   * given up; where none is listed, none was made.
   */
  async readRefund(intent: AskedIntent, { amountCents }: AskedRefund): Promise<RefundSighting> {
    const id = await this.#transactionIdOf(intent);
    const answer = id === null ? null : await this.#calls.ask('GET', `/transaction/${id}/refunds`);
    if (answer === null || answer.code !== null) return { seen: 'silence' };
    const queued = rowsOf(answer.body.queuedRefunds) ?? [];
    const started = rowsOf(answer.body.refunds) ?? [];
    const all = [...queued, ...started];
    if (all.length === 0) return { seen: 'absent' };
    const isGivenUp = ({ status }: Row) => status === 'abandoned';
    const ofAmount = all.filter((it) => centsOf(it) === amountCents);
    if (ofAmount.some(isGivenUp)) {
      return ofAmount.every(isGivenUp) ? { seen: 'rejected', code: 'abandoned' } : { seen: 'pending' };
    }
    const going = all.filter((it) => !isGivenUp(it));
    const isPaid = going.length > 0 && going.every(({ status }) => status === 'processed');
    return { seen: isPaid ? 'paid' : 'pending' };
  }

  settlements(day: string): Promise<readonly PaidOutLine[] | null> {
    return this.#calls.settlements(day);
  }

  events(
    rawBody: string,
    headers: Readonly<Record<string, string | undefined>>,
    url: string,
  ): readonly string[] | null {
    const signature = headers['ap-signature'];
    if (signature === undefined || this.#signingKey === '') return null;
    if (!isSignedByBank(rawBody, signature, this.#signingKey, url)) return null;
    const { data } = JSON.parse(rawBody) as { data?: { referenceId?: unknown } };
    return typeof data?.referenceId === 'string' ? [data.referenceId] : [];
  }

  async #transactionIdOf(intent: AskedIntent): Promise<string | null> {
    const transaction = await this.#calls.findTransaction(intent.reference);
    return transaction === null || transaction === 'absent' ? null : transaction.id;
  }
}

/** Calls with a token, which lives for half an hour. */
class BankCalls {
  readonly #account: OpenAccount;
  readonly #fetch: ProviderFetch;
  readonly #now: () => number;
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(account: OpenAccount, fetch: ProviderFetch, now: () => number) {
    this.#account = account;
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Null: no answer that can be believed. A token that has died is renewed once: a call with it has done nothing. */
  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    try {
      const first = await this.#send(method, path, body, headers);
      if (first.status !== 401) return answered(first);
      this.#token = null;
      const second = await this.#send(method, path, body, headers);
      return second.status === 401 ? null : answered(second);
    } catch {
      return null;
    }
  }

  /** The report of a day: a line that is not understood makes it no report. */
  async settlements(day: string): Promise<readonly PaidOutLine[] | null> {
    try {
      const path = `/reports/transactions/CSV?date=${day}`;
      let answer = await this.#send('GET', path, undefined, {});
      if (answer.status === 401) {
        this.#token = null;
        answer = await this.#send('GET', path, undefined, {});
      }
      return answer.status === 200 ? paidOutLines(answer.text) : null;
    } catch {
      return null;
    }
  }

  async findPreauth(reference: string): Promise<Row | 'absent' | null> {
    for (let page = 1; page <= pagesMax; page++) {
      const answer = await this.ask('GET', `/preauthTransactions?page=${page}`);
      const rows = answer === null || answer.code !== null ? null : rowsOf(answer.body.preauthTransactions);
      if (rows === null) return null;
      const found = rows.find(({ referenceId }) => referenceId === reference);
      if (found !== undefined) return found;
      if (rows.length === 0) break;
    }
    return 'absent';
  }

  async findTransaction(reference: string): Promise<Row | 'absent' | null> {
    const sought = { page: '1', perPage: '10', filters: { referenceId: reference } };
    const answer = await this.ask('POST', '/transactionSearch', sought);
    const rows = answer === null || answer.code !== null ? null : rowsOf(answer.body.transactions);
    if (rows === null) return null;
    return rows.find(({ referenceId }) => referenceId === reference) ?? 'absent';
  }

  async #send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ) {
    const authorization = `Bearer ${await this.#bearer()}`;
    return this.#fetch(`${this.#account.baseUrl}/v2${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers, authorization },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      totalMsMax: askMsMax,
    });
  }

  /** Asks for a new token: all that keys are for. */
  async check(): Promise<AccountCheck> {
    this.#token = null;
    try {
      await this.#bearer();
      return { state: 'ready', code: null };
    } catch (error) {
      return error instanceof KeysRefused
        ? { state: 'refused', code: error.code }
        : { state: 'silent', code: null };
    }
  }

  async #bearer(): Promise<string> {
    if (this.#token !== null && this.#token.untilMs > this.#now()) return this.#token.text;
    const { apiKey, apiSecret } = this.#account.secrets;
    const id = Number(this.#account.account.merchant ?? 0);
    const { status, text } = await this.#fetch(`${this.#account.baseUrl}/v2/token`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, totalMsMax: askMsMax },
      body: JSON.stringify({ apiKey, apiSecret, scope: 'merchant', id }),
    });
    if (status === 429 || status >= 500) throw new Error('The bank does not answer');
    const read = status === 200 ? readAnswer(text)?.body.token : undefined;
    if (typeof read !== 'string') throw new KeysRefused(readAnswer(text)?.code ?? null);
    this.#token = { text: read, untilMs: this.#now() + tokenMs };
    return read;
  }
}

const reportHead = 'referenceId,type,amountCents,feeCents';
const lineKinds: Readonly<Record<string, PaidOutLine['kind']>> = {
  payment: 'payment',
  reversal: 'refund',
  return: 'return',
  recovery: 'recovery',
};

function paidOutLines(text: string): readonly PaidOutLine[] | null {
  const [head, ...rows] = text.trim().split(/\r?\n/);
  if (head !== reportHead) return null;
  const lines = rows.map((row): PaidOutLine | null => {
    const [reference = '', type = '', amount = '', fee = ''] = row.split(',');
    const kind = lineKinds[type];
    const isWhole = /^-?\d+$/.test(amount) && /^\d+$/.test(fee);
    if (kind === undefined || reference === '' || !isWhole) return null;
    return { reference, kind, amountCents: Number(amount), feeCents: Number(fee) };
  });
  return lines.every((line) => line !== null) ? lines : null;
}

class KeysRefused extends Error {
  /** The bank's own. */
  readonly code: string | null;

  constructor(code: string | null) {
    super('The bank refused the keys');
    this.code = code;
  }
}

function answered({ status, text }: { readonly status: number; readonly text: string }): Answer {
  return status === 429 || status >= 500 ? null : readAnswer(text);
}

function readAnswer(text: string): Answer {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) return null;
  const { error, success, code } = body as { error?: unknown; success?: unknown; code?: unknown };
  if (success === false) return { body: {}, code: String(code ?? 'error') };
  if (typeof error === 'object' && error !== null) {
    return { body: {}, code: String((error as { code?: unknown }).code ?? 'error') };
  }
  return { body: body as Readonly<Record<string, unknown>>, code: null };
}

function rowsOf(value: unknown): readonly Row[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter((it): it is Row => typeof it === 'object' && it !== null);
}

function centsOf({ amount }: Row): number {
  return typeof amount?.amount === 'number' && Number.isInteger(amount.amount) ? amount.amount : 0;
}

function transactionSeen(row: Row): Sighting {
  const seen = { providerId: row.id, takenCents: centsOf(row) };
  const { returnCode } = row;
  switch (row.status) {
    case 'pending':
    case 'processed':
      return { seen: 'captured', ...seen };
    // Given back on the same day; what of it was ours is in the refunds.
    case 'void':
      return { seen: 'captured', ...seen };
    case 'declined':
      return { seen: 'returned', ...seen, facts: returnCode === undefined ? {} : { returnCode } };
    case 'resolved':
      return { seen: 'recovered', ...seen };
    default:
      return { seen: 'silence', facts: { code: row.status } };
  }
}

function preauthSeen(row: Row, nowMs: number): Sighting {
  const untilMs = row.expiryDate === undefined ? Number.NaN : Date.parse(row.expiryDate);
  const facts = row.userName === undefined ? {} : { payerName: row.userName };
  switch (row.status) {
    case 'pending':
      return { seen: 'waiting', facts };
    case 'live':
      if (untilMs <= nowMs) return { seen: 'expired', facts };
      return { seen: 'authorized', facts, ...(!Number.isNaN(untilMs) && { expiresAtMs: untilMs }) };
    case 'canceled':
      return { seen: untilMs <= nowMs ? 'expired' : 'canceled', facts };
    // Captured, and the transaction is not shown yet.
    default:
      return { seen: 'silence', facts };
  }
}

/** The reference as a UUID: the bank takes no other key. */
function uuidOf(reference: string): string {
  const hex = Buffer.from(reference.padEnd(16, '0').slice(0, 16)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
