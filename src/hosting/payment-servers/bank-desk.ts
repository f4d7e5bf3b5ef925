import { BankHooks } from './bank-hooks.ts';
import { type BankAccount, BankKeys, bankError as error } from './bank-keys.ts';
import type { HeldPayment, Link, Preauth, Refund, SettlementLine, Transaction } from './bank-models.ts';
import type { DeskCall, DeskHook, DeskLedger, DeskReply, PaymentWorld } from './provider-desk.ts';
import { centsOf, textOf } from './provider-desk.ts';

const dayMs = 24 * 3_600_000;
const feeShare = 0.01;

/** A provider of pay by bank. */
export class BankDesk {
  readonly ledger: DeskLedger = { entries: [] };
  readonly settlement: SettlementLine[] = [];
  readonly #world: PaymentWorld;
  readonly #account: BankAccount;
  readonly #urlOf: () => string;
  readonly #keys: BankKeys;
  readonly #links: Link[] = [];
  readonly #preauths: Preauth[] = [];
  readonly #transactions: Transaction[] = [];
  readonly #hooks: BankHooks;
  #refusal: string | null = null;

  constructor(world: PaymentWorld, account: BankAccount, urlOf: () => string) {
    this.#world = world;
    this.#account = account;
    this.#urlOf = urlOf;
    this.#hooks = new BankHooks(world);
    this.#keys = new BankKeys(world, account);
  }

  get signingKey(): string {
    return this.#hooks.signingKey;
  }

  #newId(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.#world.draw() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** The customer opens the link and agrees. False: the link is not there, was used, or is over. */
  confirm(reference: string, userName = 'Robin Castellan'): boolean {
    const link = this.#links.find((it) => it.reference === reference && !it.isUsed);
    if (link === undefined || link.untilMs <= this.#world.nowMs()) return false;
    link.isUsed = true;
    const nowMs = this.#world.nowMs();
    const hours = Number(this.#world.settings['preauth-hours']);
    const preauth: Preauth = {
      ...{
        id: this.#newId(),
        reference,
        firstCents: link.cents,
        cents: link.cents,
        userName,
        status: 'live',
      },
      expiresAtMs: Number.isNaN(hours) ? Number.POSITIVE_INFINITY : nowMs + hours * 3_600_000,
      seenFromMs: nowMs + Number(this.#world.settings['read-lag-seconds']) * 1_000,
    };
    this.#preauths.push(preauth);
    this.tell('preauthorized_transaction_created', this.#shownPreauth(preauth));
    return true;
  }

  /** The bank takes the money back, days later. False: there is nothing to take. */
  returns(reference: string, code: string): boolean {
    const transaction = this.#taken(reference);
    if (transaction === undefined) return false;
    if (transaction.status === 'processed' && this.#world.settings['late-return'] === 'no') return false;
    if (transaction.status !== 'pending' && transaction.status !== 'processed') return false;
    transaction.status = 'declined';
    transaction.returnCode = code;
    this.#book(reference, -transaction.cents, 'return');
    this.tell('transaction_declined', this.#shown(transaction));
    return true;
  }

  /** The reference of the payment that was captured last; null: none was. */
  newest(): string | null {
    return this.#transactions.at(-1)?.reference ?? null;
  }

  /** The bank gives up the refunds of a payment that wait to go out. */
  abandons(reference: string): void {
    const refunds = this.#taken(reference)?.refunds ?? [];
    for (const refund of refunds) if (refund.status === 'queued') refund.status = 'abandoned';
  }

  /** What was taken back is collected after all. */
  recovers(reference: string): boolean {
    const transaction = this.#taken(reference);
    if (transaction?.status !== 'declined') return false;
    transaction.status = 'resolved';
    this.#book(reference, transaction.cents, 'recovery');
    this.tell('transaction_resolved', this.#shown(transaction));
    return true;
  }

  /** Holds a payment of an earlier run of this server, with its money. */
  hold(held: HeldPayment): void {
    const { reference, cents, atMs, state, providerId } = held;
    const isUsed = state !== 'waiting';
    this.#links.push({ id: held.linkId, reference, cents, isUsed, untilMs: Number.POSITIVE_INFINITY });
    if (state === 'waiting' || state === 'ended') return;
    const preauth: Preauth = {
      ...{ id: providerId ?? this.#newId(), reference, firstCents: cents, cents },
      ...{ userName: held.payerName ?? 'Robin Castellan', expiresAtMs: atMs + 3 * dayMs, seenFromMs: 0 },
      status: state === 'authorized' ? 'live' : 'completed',
    };
    this.#preauths.push(preauth);
    if (state === 'authorized') return;
    const refunds = held.refunds.map((it): Refund => {
      return { id: this.#newId(), cents: it.cents, status: it.isPaid ? 'processed' : 'queued' };
    });
    const transaction: Transaction = {
      id: preauth.id,
      reference,
      cents,
      createdAtMs: atMs,
      refunds,
      status: 'pending',
      returnCode: held.returnCode,
    };
    if (state === 'returned') transaction.status = 'declined';
    else if (refunds.length > 0 && refunds.every(({ status }) => status === 'processed')) {
      const given = refunds.reduce((sum, it) => sum + it.cents, 0);
      if (given === cents) transaction.status = 'void';
    }
    this.#transactions.push(transaction);
    this.#book(reference, cents, 'payment', atMs);
    for (const it of held.refunds) if (it.isPaid) this.#book(reference, -it.cents, 'reversal', it.atMs);
    if (state === 'returned') this.#book(reference, -cents, 'return');
  }

  /** Clears what is a day old, and lets queued refunds go. */
  tick(): void {
    for (const transaction of this.#transactions) {
      if (this.#world.nowMs() - transaction.createdAtMs < dayMs) continue;
      if (transaction.status === 'pending') transaction.status = 'processed';
      const isReversed = this.#world.settings['refund-order'] === 'reversed';
      for (const refund of isReversed ? transaction.refunds.toReversed() : transaction.refunds) {
        if (refund.status === 'queued') {
          refund.status = 'pending';
          this.#book(transaction.reference, -refund.cents, 'reversal');
          this.tell('transaction_refunded', this.#shown(transaction));
        } else if (refund.status === 'pending') refund.status = 'processed';
      }
    }
  }

  /** The webhooks that are due. */
  takeHooks(): DeskHook[] {
    return this.#hooks.take();
  }

  /** A webhook to an address, signed. */
  signed(url: string, body: object): DeskHook {
    return this.#hooks.signed(url, body);
  }

  /** A webhook of any topic, also of one that no one knows. */
  tell(topic: string, data: object): void {
    this.#hooks.tell(topic, data);
  }

  /** A payment shows a status of the provider that no one knows. False: there is no such payment. */
  marks(reference: string, status: string): boolean {
    const transaction = this.#taken(reference);
    if (transaction !== undefined) transaction.status = status as Transaction['status'];
    return transaction !== undefined;
  }

  handle(call: DeskCall): DeskReply | null {
    const { method, path } = call;
    const page = /^\/pay\/([\w-]+)$/.exec(path)?.[1];
    if (page !== undefined) return this.#page(method, page);
    if (!path.startsWith('/v2/')) return null;
    const route = `${method} ${path.slice(3)}`;
    if (route === 'POST /token') return this.#keys.token(call);
    if (!this.#keys.mayCall(call)) return error(401, 'AP007', 'Token expired');
    return this.#answer(route, call);
  }

  #answer(route: string, call: DeskCall): DeskReply {
    const { body, query } = call;
    switch (route) {
      case 'POST /paymentLink':
        return this.#makeLink(body);
      case 'GET /preauthTransactions':
        return this.#listPreauths(query);
      case 'POST /capturePreauthTransaction':
        return this.#capture(body);
      case 'POST /transactionSearch':
        return this.#search(body);
      case 'POST /reverseTransaction':
        return this.#keys.once(call, () => this.#reverse(body));
      case 'POST /webhook':
        this.#hooks.register(textOf(body.topic), textOf(body.url));
        return { status: 200, body: { webhook: { topic: body.topic, url: body.url } } };
      case 'POST /transaction':
        return this.#keys.once(call, () => this.#pay(body));
      case 'GET /reports/transactions/CSV':
        return this.#report(query);
      default: {
        const lowered = /^PATCH \/preauthTransaction\/([\w-]+)$/.exec(route)?.[1];
        if (lowered !== undefined) return this.#lower(lowered, body);
        const key = /^GET \/transaction\/idempotency\/([\w-]+)$/.exec(route)?.[1];
        if (key !== undefined) return this.#keys.answerOf(key);
        const preauth = /^DELETE \/preauthTransaction\/([\w-]+)$/.exec(route)?.[1];
        if (preauth !== undefined) return this.#cancel(preauth);
        const refunds = /^GET \/transaction\/([\w-]+)\/refunds$/.exec(route)?.[1];
        if (refunds !== undefined) return this.#listRefunds(refunds);
        return error(404, 'AP316', 'Not found');
      }
    }
  }

  /** The customer's standing: what is asked of them is refused with this code. Null: they may pay. */
  refuses(code: 'AP109' | 'AP300' | 'AP302' | 'AP307' | null): void {
    this.#refusal = code;
  }

  /** Another amount of what is not captured. */
  #lower(id: string, body: DeskCall['body']): DeskReply {
    const preauth = this.#preauths.find((it) => it.id === id);
    if (preauth === undefined) return error(200, 'AP316', 'Not found');
    if (preauth.status !== 'live') return error(200, 'AP313', 'Not eligible');
    const { amount: cents } = (body.amount ?? {}) as { amount?: unknown };
    const isAmount = typeof cents === 'number' && Number.isInteger(cents) && cents > 0;
    const isRaised = isAmount && cents > preauth.firstCents;
    if (!isAmount || (isRaised && this.#world.settings['preauth-raise'] === 'refused')) {
      return error(200, 'AP308', 'Bad amount');
    }
    preauth.cents = cents;
    return { status: 200, body: { preauthTransaction: this.#shownPreauth(preauth) } };
  }

  #makeLink(body: DeskCall['body']): DeskReply {
    const { amount } = (body.amount ?? {}) as { amount?: unknown };
    const reference = textOf(body.referenceId);
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0 || reference === '') {
      return error(400, 'AP700', 'amount and referenceId are required');
    }
    const former = this.#links.find((it) => it.reference === reference);
    if (former !== undefined) {
      return this.#world.settings['link-repeat'] === 'same' && former.cents === amount
        ? { status: 200, body: { paymentLink: this.#shownLink(former) } }
        : error(200, 'AP314', 'The id exists');
    }
    const hours = Number(this.#world.settings['link-hours']);
    const link: Link = {
      ...{ id: this.#newId(), reference, cents: amount, isUsed: false },
      untilMs: Number.isNaN(hours) ? Number.POSITIVE_INFINITY : this.#world.nowMs() + hours * 3_600_000,
    };
    this.#links.push(link);
    return { status: 200, body: { paymentLink: this.#shownLink(link) } };
  }

  #shownLink({ id, reference }: Link) {
    return { id, url: `${this.#urlOf()}/pay/${id}`, referenceId: reference };
  }

  #listPreauths(query: URLSearchParams): DeskReply {
    const page = Number(query.get('page') ?? 1);
    const perPage = 50;
    const shown = this.#preauths
      .filter(({ seenFromMs }) => seenFromMs <= this.#world.nowMs())
      .toReversed()
      .slice((page - 1) * perPage, page * perPage)
      .map((it) => this.#shownPreauth(it));
    return { status: 200, body: { preauthTransactions: shown } };
  }

  #shownPreauth(preauth: Preauth) {
    const isOver = preauth.status === 'live' && preauth.expiresAtMs <= this.#world.nowMs();
    return {
      ...{ id: preauth.id, referenceId: preauth.reference, userName: preauth.userName },
      ...{ amount: { amount: preauth.cents, currency: 'USD' }, status: isOver ? 'canceled' : preauth.status },
      ...(Number.isFinite(preauth.expiresAtMs) && {
        expiryDate: new Date(preauth.expiresAtMs).toISOString(),
      }),
    };
  }

  #capture({ id }: DeskCall['body']): DeskReply {
    const preauth = this.#preauths.find((it) => it.id === id);
    if (preauth === undefined) return error(200, 'AP316', 'Not found');
    if (preauth.status === 'completed') return error(200, 'AP312', 'Captured already');
    if (preauth.status === 'canceled' || preauth.expiresAtMs <= this.#world.nowMs()) {
      return error(200, 'AP313', 'Not eligible');
    }
    if (this.#refusal !== null) return error(200, this.#refusal, 'The customer may not pay');
    preauth.status = 'completed';
    const transaction: Transaction = {
      id: this.#world.settings['capture-id'] === 'same' ? preauth.id : this.#newId(),
      ...{ reference: preauth.reference, cents: preauth.cents, createdAtMs: this.#world.nowMs() },
      ...{ status: 'pending', returnCode: null, refunds: [] },
    };
    this.#transactions.push(transaction);
    this.#book(preauth.reference, preauth.cents, 'payment');
    this.tell('transaction_completed', this.#shown(transaction));
    return { status: 200, body: { transaction: this.#shown(transaction) } };
  }

  /** A payment at once, of a customer whose bank is linked: with a tip, whose sum is checked. */
  #pay(body: DeskCall['body']): DeskReply {
    if (this.#refusal !== null) return error(200, this.#refusal, 'The customer may not pay');
    const { amount } = (body.amount ?? {}) as { amount?: unknown };
    const reference = textOf(body.referenceId);
    const { tip } = (body.attributes ?? {}) as { tip?: { tipAmount?: unknown; totalAmount?: unknown } };
    if (typeof amount !== 'number' || amount <= 0) return error(400, 'AP700', 'amount is required');
    const tipCents = centsOf(tip?.tipAmount);
    const cents = amount + (this.#world.settings['bank-amount-has-tip'] === 'yes' ? 0 : tipCents);
    if (tip !== undefined && centsOf(tip.totalAmount) !== cents) return error(200, 'AP308', 'Wrong sum');
    const transaction: Transaction = {
      ...{ id: this.#newId(), reference, cents, createdAtMs: this.#world.nowMs() },
      ...{ status: 'pending', returnCode: null, refunds: [] },
    };
    this.#transactions.push(transaction);
    this.#book(reference, cents, 'payment');
    return { status: 200, body: { transaction: this.#shown(transaction) } };
  }

  #cancel(id: string): DeskReply {
    const preauth = this.#preauths.find((it) => it.id === id);
    if (preauth === undefined) return error(200, 'AP316', 'Not found');
    if (preauth.status === 'completed') return error(200, 'AP312', 'Captured already');
    preauth.status = 'canceled';
    return { status: 200, body: { preauthTransaction: this.#shownPreauth(preauth) } };
  }

  #search(body: DeskCall['body']): DeskReply {
    const { referenceId } = (body.filters ?? {}) as { referenceId?: unknown };
    const found = this.#transactions.filter(({ reference }) => reference === referenceId);
    return { status: 200, body: { transactions: found.map((it) => this.#shown(it)) } };
  }

  #shown({ id, reference, cents, status, returnCode }: Transaction) {
    return {
      ...{ id, referenceId: reference, status, paymentType: 'payment' },
      ...{ amount: { amount: cents, currency: 'USD' }, merchantId: this.#account.merchantId },
      ...(returnCode !== null && { returnCode }),
    };
  }

  #reverse({ id, amount }: DeskCall['body']): DeskReply {
    const transaction = this.#transactions.find((it) => it.id === id);
    if (transaction === undefined) return error(200, 'AP316', 'Not found');
    if (transaction.status === 'declined' && this.#world.settings['refund-of-declined'] === 'refuse') {
      return error(200, 'AP1306', 'The state forbids it');
    }
    if (transaction.status === 'void') return error(200, 'AP1306', 'The state forbids it');
    const { amount: cents = transaction.cents } = (amount ?? {}) as { amount?: number };
    const given = transaction.refunds
      .filter((it) => it.status !== 'abandoned')
      .reduce((sum, it) => sum + it.cents, 0);
    if (cents <= 0) return error(200, 'AP1303', 'Not positive');
    if (given >= transaction.cents) return error(200, 'AP1300', 'Fully refunded');
    if (given + cents > transaction.cents) return error(200, 'AP1302', 'Too much');
    const isSameDay = this.#dayOf(transaction.createdAtMs) === this.#dayOf(this.#world.nowMs());
    const refund: Refund = { id: this.#newId(), cents, status: isSameDay ? 'processed' : 'queued' };
    transaction.refunds.push(refund);
    if (isSameDay) {
      if (given + cents === transaction.cents) transaction.status = 'void';
      this.#book(transaction.reference, -cents, 'reversal');
      this.tell('transaction_voided', this.#shown(transaction));
      return { status: 200, body: { transaction: { ...this.#shown(transaction), status: 'void' } } };
    }
    const hasId = this.#world.settings['queued-refund'] === 'with-id';
    return { status: 200, body: { refund: { ...(hasId && { id: refund.id }), status: 'queued' } } };
  }

  #listRefunds(id: string): DeskReply {
    const refunds = this.#transactions.find((it) => it.id === id)?.refunds ?? [];
    const shown = ({ id, cents, status }: Refund) => ({
      id,
      status,
      amount: { amount: cents, currency: 'USD' },
    });
    const isQueued = ({ status }: Refund) => status === 'queued' || status === 'abandoned';
    return {
      status: 200,
      body: {
        refunds: refunds.filter((it) => !isQueued(it)).map(shown),
        queuedRefunds: refunds.filter(isQueued).map(shown),
      },
    };
  }

  #report(query: URLSearchParams): DeskReply {
    const lines = this.settlement.filter(({ day }) => day === query.get('date'));
    const rows = lines.map((it) => [it.reference, it.kind, it.cents, it.feeCents].join(','));
    return { status: 200, body: ['referenceId,type,amountCents,feeCents', ...rows].join('\n') };
  }

  #book(
    reference: string,
    cents: number,
    kind: SettlementLine['kind'],
    atMs: number = this.#world.nowMs(),
  ): void {
    this.ledger.entries.push({ reference, cents, atMs });
    const feeCents = kind === 'payment' ? Math.round(cents * feeShare) : 0;
    this.settlement.push({ day: this.#dayOf(atMs), reference, kind, cents, feeCents });
  }

  #dayOf(ms: number): string {
    const behindMs = dayBehindHours[this.#world.settings['business-day']]! * 3_600_000;
    return new Date(ms - behindMs).toISOString().slice(0, 10);
  }

  #taken(reference: string): Transaction | undefined {
    return this.#transactions.find((it) => it.reference === reference);
  }

  /** The page behind a link, where a person plays the customer. */
  #page(method: string, id: string): DeskReply {
    const link = this.#links.find((it) => it.id === id);
    if (link === undefined) return { status: 404, html: '<h1>There is no such payment</h1>' };
    if (method === 'POST') this.confirm(link.reference);
    if (!link.isUsed && link.untilMs <= this.#world.nowMs()) {
      return { status: 200, html: '<h1>This link is over</h1>' };
    }
    const cents = `$${(link.cents / 100).toFixed(2)}`;
    return {
      status: 200,
      html: link.isUsed
        ? `<h1>${cents} is authorized</h1>`
        : `<h1>Pay ${cents} by bank</h1><form method="post"><button>Agree</button></form>`,
    };
  }
}

/** How far its day is behind that of UTC, in hours; in winter. */
const dayBehindHours: Readonly<Record<string, number>> = { utc: 0, 'eastern-17': -2, pacific: 8 };
