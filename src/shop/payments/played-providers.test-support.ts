import {
  type PaymentServer,
  paymentAccounts,
  startPaymentServer,
} from '../../hosting/payment-servers/payment-server.ts';
import type { PaymentSwitch } from '../../hosting/payment-servers/payment-switches.ts';
import type { CustomerAct } from '../../hosting/payment-servers/terminal-desk.ts';
import { ManualClock } from '../../kernel/clock.ts';
import { bankKind } from './bank-provider.ts';
import { type IntentStatus, isOpen } from './intent-lifecycle.ts';
import type { AskedIntent, OpenAccount, PaymentProvider, ProviderFetch, Sighting } from './provider.ts';
import { terminalKind } from './terminal-provider.ts';
import { type Act, weighSighting } from './weigh-sighting.ts';

type Answer = Readonly<Record<string, never>> & {
  readonly GeneralResponse: Readonly<Record<string, string>>;
  readonly error?: { readonly code: string };
};

/** The providers as they are played, their adapters, and raw calls beside them: on a clock of their own, without the service. */
export interface PlayedProviders {
  readonly server: PaymentServer;
  readonly clock: ManualClock;
  readonly tpn: string;
  readonly terminal: PaymentProvider;
  readonly bank: PaymentProvider;
  /** An adapter of a terminal that saw this batch, with this payment in it. */
  terminalIn(batch: string, batchReference: string): PaymentProvider;
  /** A bank with other keys. */
  bankWith(secrets: Readonly<Record<string, string>>): PaymentProvider;
  /** A call to a terminal: what the proxy answers. */
  ask(action: string, body: object, number?: 0 | 1): Promise<Answer>;
  /** The same: its status code. */
  codeOf(action: string, body: object, number?: 0 | 1): Promise<string>;
  /** A call to the bank, with a token. */
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** The ledger of both, in cents; of one reference, if given. */
  taken(reference?: string): number;
  close(): Promise<void>;
}

const fetchPlayed: ProviderFetch = async (url, { method, headers, body }) => {
  const answer = await fetch(url, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body: String(body) }),
  });
  return { status: answer.status, text: await answer.text() };
};

/** Plays them; the customer at the terminal taps, unless a switch says otherwise. */
export async function playProviders(
  switches: Readonly<Partial<Record<PaymentSwitch, string>>> = {},
): Promise<PlayedProviders> {
  const clock = new ManualClock(Date.parse('2026-03-02T18:00:00Z'));
  const server = await startPaymentServer({ clock, switches });
  const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
  const [first] = paymentAccounts.terminals;
  const openAccount = (more: Partial<OpenAccount>): OpenAccount => ({
    ...{ baseUrl: server.url, account: {}, secrets: {}, batch: null, batchReference: null },
    ...more,
  });
  const terminalIn = (batch: string | null, batchReference: string | null) => {
    const account = { tpn: first.tpn, paymentType: 'Debit' };
    const opened = { account, secrets: { authkey: first.authkey }, batch, batchReference };
    return terminalKind.open(openAccount(opened), fetchPlayed, () => clock.now());
  };
  const bankWith = (secrets: Readonly<Record<string, string>>) =>
    bankKind.open(openAccount({ account: { merchant: String(merchantId) }, secrets }), fetchPlayed, () =>
      clock.now(),
    );
  let token = '';
  const json = async (method: string, path: string, body?: object, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/v2${path}`, { method, headers, ...sent });
    return (await answer.json()) as Answer;
  };
  const ask: PlayedProviders['ask'] = (action, body, number = 0) => {
    const { tpn: Tpn, authkey: Authkey } = paymentAccounts.terminals[number];
    return json('POST', action.includes('/') ? `/${action}` : `/Payment/${action}`, {
      Tpn,
      Authkey,
      ...body,
    });
  };
  return {
    ...{ server, clock, tpn: first.tpn, ask, terminalIn, bankWith },
    terminal: terminalIn(null, null),
    bank: bankWith({ apiKey, apiSecret, signingKey: server.bank.signingKey }),
    codeOf: async (...call) => String((await ask(...call)).GeneralResponse.StatusCode).padStart(4, '0'),
    call: async (method, path, body, headers) => {
      const send = () => json(method, path, body, { authorization: `Bearer ${token}`, ...headers });
      const answer = await send();
      if (answer.error?.code !== 'AP007') return answer;
      token = String(
        (await json('POST', '/token', { apiKey, apiSecret, scope: 'merchant', id: merchantId })).token,
      );
      return send();
    },
    taken: (reference) =>
      [...server.terminals.ledger.entries, ...server.bank.ledger.entries]
        .filter((it) => reference === undefined || it.reference === reference)
        .reduce((sum, { cents }) => sum + cents, 0),
    close: () => server.close(),
  };
}

/** The same, with a customer at the terminal. */
export async function playTerminal(switches: Readonly<Partial<Record<PaymentSwitch, string>>> = {}) {
  const at = await playProviders(switches);
  const { tpn, server } = at;
  const pay = (facts?: AskedIntent['facts']) => new FollowedPayment(at.terminal, undefined, facts);
  /** Pushes a sale, and waits until the terminal asks. */
  const push = async () => {
    const payment = pay();
    const created = payment.create();
    await server.whenHeld();
    return { payment, created };
  };
  const does = (act: CustomerAct) => server.terminals.customer(tpn, act);
  return { ...at, pay, push, does };
}

/** The body of a sale of $41.30. */
export function saleBody(ReferenceId: string, more: object = {}): object {
  return { Amount: 41.3, PaymentType: 'Debit', ReferenceId, ...more };
}

let references = 0;

/** A payment of $41.30 that is asked for, as the service would follow it: by the same pure rules, without its rows. */
export class FollowedPayment {
  readonly asked: AskedIntent;
  #provider: PaymentProvider;
  #state = {
    status: 'sending' as IntentStatus,
    ...{ capturedCents: 0, tipCents: 0, cashBackCents: 0, providerFeeCents: 0 },
    ...{ appliedCents: 0, refundedCents: 0, returnedCents: 0, absentCount: 0 },
  };
  last: Sighting = { seen: 'silence' };

  constructor(provider: PaymentProvider, askedCents = 4_130, facts: AskedIntent['facts'] = {}) {
    this.#provider = provider;
    references += 1;
    this.asked = {
      ...{ reference: `reference${references}`, askedCents, providerId: null, facts },
      ...{ label: 'A1093', phone: null, email: null, lacksLink: false },
    };
  }

  get reference(): string {
    return this.asked.reference;
  }

  get status(): IntentStatus {
    return this.#state.status;
  }

  get state() {
    return this.#state;
  }

  /** With tip, cash back and the provider's fee, less what the bank took back. */
  get keptCents(): number {
    const { capturedCents, tipCents, cashBackCents, providerFeeCents, returnedCents } = this.#state;
    return capturedCents + tipCents + cashBackCents + providerFeeCents - returnedCents;
  }

  create = () => this.#see('create', 'start');
  capture = () => this.#see('capture', 'capture');
  cancel = () => this.#see('cancel', 'cancel');

  /** What a worker does at its next look. */
  async look(provider = this.#provider): Promise<this> {
    this.#provider = provider;
    await this.#see('read', 'read');
    return this.status === 'authorized' ? this.capture() : this;
  }

  refund(amountCents: number, hasCard: boolean, reference = `r${this.reference}`) {
    const isWhole = amountCents === this.#state.capturedCents;
    return this.#provider.refund(this.asked, { reference, amountCents, isWhole, hasCard });
  }

  readRefund(amountCents: number, reference = `r${this.reference}`) {
    const isWhole = amountCents === this.#state.capturedCents;
    return this.#provider.readRefund(this.asked, { reference, amountCents, isWhole, hasCard: true });
  }

  async #see(what: 'create' | 'read' | 'capture' | 'cancel', act: Act): Promise<this> {
    const sighting = await this.#provider[what](this.asked);
    const lack = { dueCents: this.asked.askedCents, balanceCents: this.asked.askedCents };
    this.#state = { ...this.#state, ...weighSighting(this.#state, sighting, act, lack).after };
    this.last = sighting;
    return this;
  }

  get isOpen(): boolean {
    return isOpen(this.status);
  }
}
