import type {
  AccountCheck,
  AskedIntent,
  AskedRefund,
  BatchSighting,
  OpenAccount,
  PaymentProvider,
  ProviderFetch,
  ProviderKind,
  RefundSighting,
  Sighting,
  SlipSighting,
} from './provider.ts';
import {
  answerOf,
  batchSeen,
  isInDoubt,
  saleSeen,
  slipSeen,
  type TerminalAnswer,
  voidSeen,
} from './terminal-answers.ts';

/** How long the proxy waits for the customer. */
const promptSeconds = 110;
/** Longer than the proxy waits, so that its verdict is heard. */
const pushMsMax = (promptSeconds + 20) * 1_000;
const askMsMax = 15_000;
/** How long the proxy waits for the terminal to settle. */
const settleSeconds = 60;
const indexMax = 5_000;

/**
 * A card terminal that speaks SPIn REST v2: a request is held until the customer is done; after silence its state is asked by our
 * reference. Amounts are dollars with two decimals.
 */
export const terminalKind: ProviderKind = {
  id: 'terminal',
  accountFields: ['tpn', 'paymentType'],
  secretFields: ['authkey'],
  inPerson: true,
  open: (account, fetch) => new TerminalProvider(account, fetch),
};

class TerminalProvider implements PaymentProvider {
  readonly capabilities = {
    ...{ inPerson: true, captures: false, refundNeedsCard: true, refundRepeats: false },
    startMsMax: pushMsMax,
  };
  readonly #account: OpenAccount;
  readonly #fetch: ProviderFetch;
  readonly #keys: { readonly Tpn: string; readonly Authkey: string };
  readonly #paymentType: string;

  constructor(account: OpenAccount, fetch: ProviderFetch) {
    this.#account = account;
    this.#fetch = fetch;
    this.#keys = { Tpn: account.account.tpn ?? '', Authkey: account.secrets.authkey ?? '' };
    this.#paymentType = account.account.paymentType || 'Debit';
  }

  async create(intent: AskedIntent): Promise<Sighting> {
    const answer = await this.#push('Sale', intent.reference, intent.askedCents, intent.label);
    // Canceled by a person "or interrupted": one more look tells whether the card was read before.
    if (answer?.code === '1012') {
      const after = await this.read(intent);
      return after.seen === 'absent' ? { seen: 'canceled', facts: { code: '1012' } } : after;
    }
    return answer?.code === '1011' ? this.read(intent) : saleSeen(answer, 'sale');
  }

  async read({ reference, facts }: AskedIntent): Promise<Sighting> {
    const sighting = saleSeen(await this.#status(reference), 'status');
    if (sighting.seen !== 'absent') return sighting;
    return { ...sighting, isSameBatch: await this.#isStillBatch(facts.askedInBatch) };
  }

  capture(intent: AskedIntent): Promise<Sighting> {
    return this.read(intent);
  }

  /** The verdict comes with the answer to the sale, or by a read. */
  async cancel(intent: AskedIntent): Promise<Sighting> {
    await this.#ask('AbortTransaction', { ReferenceId: intent.reference });
    return this.read(intent);
  }

  /**
   * All of it is voided while its batch is open, without the card; otherwise the card is needed. What was voided before, at the terminal or
   * by a wish whose answer was lost, does not go back again.
   */
  async refund(intent: AskedIntent, refund: AskedRefund): Promise<RefundSighting> {
    const { reference, amountCents, isWhole, hasCard } = refund;
    const original = await this.#status(intent.reference);
    if (original === null) return { seen: 'silence' };
    if (original.body.Voided === true) return { seen: 'paid' };
    if (isWhole) {
      const body = {
        ...{ Amount: amountCents / 100, PaymentType: this.#paymentType, ReferenceId: intent.reference },
      };
      const answer = await this.#ask('Void', body);
      const seen = voidSeen(answer);
      const code = answer === null ? {} : { code: answer.code };
      if (seen === 'silence') return { seen, ...code };
      if (seen === 'done') return { seen: 'paid' };
      if (!hasCard) return { seen: 'needs-card', ...code };
    }
    if (!hasCard) return { seen: 'needs-card' };
    const answer = await this.#push('Return', reference, amountCents, intent.label);
    if (answer?.code !== '1012') return refundSeen(answer, 'sale');
    // Canceled by a person "or interrupted": as for a sale, one more look tells.
    const after = refundSeen(await this.#status(reference), 'status');
    return after.seen === 'absent' ? { seen: 'rejected', code: '1012' } : after;
  }

  async readRefund(intent: AskedIntent, refund: AskedRefund): Promise<RefundSighting> {
    const original = await this.#status(intent.reference);
    if (original?.body.Voided === true) return { seen: 'paid' };
    return refundSeen(await this.#status(refund.reference), 'status');
  }

  /** It knows batches, and no days. */
  async settlements(): Promise<null> {
    return null;
  }

  /**
   * Asks for the sums of the batch before and for the list of the open one while it can, then closes it. After silence a second wish tells
   * whether the first one was done.
   */
  async closeBatch(): Promise<BatchSighting> {
    const report = () => this.#ask('Summary', {}, askMsMax, 'Report');
    const settle = () =>
      this.#ask('Settle', { SPInProxyTimeout: settleSeconds }, (settleSeconds + 20) * 1_000);
    const before = await report();
    // Who does not answer a question closes nothing, either.
    const nothing = { before, listed: null, answer: null, sums: null, wasInDoubt: false };
    if (before === null) return batchSeen(nothing);
    const listed = await this.#ask('StatusList', {
      ...{ PaymentType: this.#paymentType, TransactionFromIndex: 1, TransactionToIndex: indexMax },
    });
    const first = await settle();
    const wasInDoubt = isInDoubt(first);
    const answer = wasInDoubt ? await settle() : first;
    // Nothing open means that the first wish was done, if anything was.
    const sums = wasInDoubt && answer?.code === '1020' ? await report() : answer;
    return batchSeen({ before, listed, answer, sums, wasInDoubt });
  }

  /** A question about a payment prints, too; it moves no money, so asking again is harmless. */
  async printSlip({ reference }: AskedIntent): Promise<SlipSighting> {
    return slipSeen(await this.#status(reference, { PrintReceipt: 'Customer' }));
  }

  /** Its callbacks are not asked for: what they say is not documented, and a read finds what they tell. */
  events(): null {
    return null;
  }

  async #ask(
    action: string,
    body: object,
    totalMsMax = askMsMax,
    room = 'Payment',
  ): Promise<TerminalAnswer | null> {
    const url = `${this.#account.baseUrl}/v2/${room}/${action}`;
    const sent = JSON.stringify({ ...body, ...this.#keys });
    const headers = { 'Content-Type': 'application/json' };
    try {
      const { text } = await this.#fetch(url, { method: 'POST', headers, body: sent, totalMsMax });
      return answerOf(text);
    } catch {
      return null;
    }
  }

  #status(reference: string, more: object = {}): Promise<TerminalAnswer | null> {
    return this.#ask('Status', { PaymentType: this.#paymentType, ReferenceId: reference, ...more });
  }

  #push(
    action: 'Sale' | 'Return',
    reference: string,
    cents: number,
    label: string,
  ): Promise<TerminalAnswer | null> {
    const body = {
      ...{
        Amount: cents / 100,
        PaymentType: this.#paymentType,
        ReferenceId: reference,
        InvoiceNumber: label,
      },
      ...{ PrintReceipt: 'No', GetReceipt: 'No', GetExtendedData: true, SPInProxyTimeout: promptSeconds },
    };
    return this.#ask(action, body, pushMsMax);
  }

  /**
   * A batch that has closed has taken its sales with it. It is the one in which was asked if its number was known then, a payment of it
   * is still found there, and the terminal is there to be asked.
   */
  async #isStillBatch(askedInBatch: string | undefined): Promise<boolean> {
    const { batch, batchReference } = this.#account;
    if (batch === null || batch !== askedInBatch || batchReference === null || !(await this.#isOnline()))
      return false;
    const { seen, facts } = saleSeen(await this.#status(batchReference), 'status');
    return (seen === 'captured' || seen === 'canceled') && facts?.batch === batch;
  }

  async #isOnline(): Promise<boolean> {
    return (await this.check()).state === 'ready';
  }

  async check(): Promise<AccountCheck> {
    const { Tpn, Authkey } = this.#keys;
    const query = new URLSearchParams({ 'request.tpn': Tpn, 'request.authkey': Authkey });
    const url = `${this.#account.baseUrl}/v2/Common/TerminalStatus?${query}`;
    try {
      const { text } = await this.#fetch(url, { method: 'GET', totalMsMax: askMsMax });
      const status = (JSON.parse(text) as { TerminalStatus?: unknown }).TerminalStatus;
      if (status === 'Online') return { state: 'ready', code: null };
      return status === 'Offline'
        ? { state: 'offline', code: null }
        : { state: 'refused', code: typeof status === 'string' ? status.slice(0, 40) : null };
    } catch {
      return { state: 'silent', code: null };
    }
  }
}

function refundSeen(answer: TerminalAnswer | null, asked: 'sale' | 'status'): RefundSighting {
  const { seen, facts } = saleSeen(answer, asked);
  const code = facts?.code === undefined ? {} : { code: facts.code };
  if (answer?.code === '1012') return { seen: 'rejected', code: '1012' };
  if (seen === 'captured') return { seen: 'paid' };
  if (seen === 'rejected') return { seen: 'rejected', ...code };
  return seen === 'absent' ? { seen: 'absent', ...code } : { seen: 'silence', ...code };
}
