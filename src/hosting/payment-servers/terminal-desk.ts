import {
  centsOf,
  closed,
  type DeskCall,
  type DeskLedger,
  type DeskReply,
  type PaymentWorld,
  textOf,
} from './provider-desk.ts';

/** What the customer at a terminal does. */
export interface CustomerAct {
  readonly does: 'tap' | 'decline' | 'cancel';
  /** Approved in part: less than was asked. */
  readonly approvedCents?: number;
  readonly tipCents?: number;
  readonly cashBackCents?: number;
  readonly feeCents?: number;
  /** The code of a decline: two digits. */
  readonly hostCode?: string;
  /** Reads do not know of it before. */
  readonly visibleAfterSeconds?: number;
  /** Approved, and the paper is out: the answer is an error. */
  readonly paperOut?: boolean;
}

interface Charge {
  readonly reference: string;
  readonly kind: 'Sale' | 'Return';
  readonly type: string;
  readonly askedCents: number;
  readonly goodsCents: number;
  tipCents: number;
  readonly cashBackCents: number;
  readonly feeCents: number;
  readonly authCode: string;
  readonly number: number;
  readonly batch: number;
  readonly visibleFromMs: number;
  voided: boolean;
}

interface Running {
  readonly reference: string;
  readonly kind: Charge['kind'];
  readonly type: string;
  readonly askedCents: number;
  readonly givesUpAtMs: number;
  answer(reply: DeskReply | typeof closed): void;
  isAnswered: boolean;
}

interface Terminal {
  readonly tpn: string;
  readonly authkey: string;
  state: 'Online' | 'Offline' | 'NotFound';
  batch: number;
  nextNumber: number;
  charges: Charge[];
  former: Charge[];
  running: Running | null;
  aborts: number;
}

const lastFour = '0017';
/** What a Sale or Return may have. */
const pushFields = [
  ...['Amount', 'TipAmount', 'CustomFee', 'Cart', 'ExternalReceipt', 'PaymentType', 'ReferenceId'],
  ...['PrintReceipt', 'GetReceipt', 'MerchantNumber', 'InvoiceNumber', 'CaptureSignature', 'CustomFields'],
  ...['GetExtendedData', 'IsReadyForIS', 'CallbackInfo', 'ReconId', 'IsvId', 'SPInProxyTimeout', 'Tpn'],
  ...['Authkey', 'RegisterId'],
];

/** The terminals of a shop, as their proxy in the cloud answers. */
export class TerminalDesk {
  readonly ledger: DeskLedger = { entries: [] };
  readonly #world: PaymentWorld;
  readonly #terminals = new Map<string, Terminal>();
  readonly #acts = new Map<string, CustomerAct[]>();

  constructor(world: PaymentWorld, tpns: readonly { readonly tpn: string; readonly authkey: string }[]) {
    this.#world = world;
    for (const { tpn, authkey } of tpns) {
      this.#terminals.set(tpn, {
        ...{ tpn, authkey, state: 'Online', batch: 31, nextNumber: 1, charges: [], former: [] },
        ...{ running: null, aborts: 0 },
      });
    }
  }

  /** What the customer does at the next question, or at the one that waits. */
  customer(tpn: string, act: CustomerAct): void {
    const terminal = this.#known(tpn);
    if (terminal.running !== null) this.#act(terminal, act);
    else this.#acts.set(tpn, [...(this.#acts.get(tpn) ?? []), act]);
  }

  power(tpn: string, state: Terminal['state']): void {
    const terminal = this.#known(tpn);
    terminal.state = state;
    terminal.aborts = 0;
  }

  /** Closes the batch, as at night. */
  closeBatch(tpn: string): void {
    const terminal = this.#known(tpn);
    terminal.former.push(...terminal.charges);
    terminal.charges = [];
    terminal.batch += 1;
    terminal.nextNumber = 1;
  }

  /** The question that a terminal shows; null: none. */
  asked(tpn: string): { readonly reference: string; readonly cents: number } | null {
    const { running } = this.#known(tpn);
    return running === null ? null : { reference: running.reference, cents: running.askedCents };
  }

  /** Ends the wait of requests whose time is over; the terminal goes on asking. */
  tick(): void {
    for (const { running } of this.#terminals.values()) {
      if (running === null || running.isAnswered || this.#world.nowMs() < running.givesUpAtMs) continue;
      running.isAnswered = true;
      running.answer(this.#general('2', '2007', 'No answer from the terminal'));
    }
  }

  handle(call: DeskCall): Promise<DeskReply | typeof closed> | null {
    const { path, body, query } = call;
    if (path === '/v2/Common/TerminalStatus') return Promise.resolve(this.#terminalStatus(query));
    const action = /^\/v2\/Payment\/(\w+)$/.exec(path)?.[1];
    if (action === undefined) return null;
    const terminal = this.#terminals.get(textOf(body.Tpn));
    if (terminal === undefined || terminal.state === 'NotFound')
      return refused(this, '2', '2003', 'TPN unknown');
    if (terminal.authkey !== body.Authkey) return refused(this, '2', '2002', 'Key unknown');
    switch (action) {
      case 'Sale':
      case 'Return':
        return this.#push(terminal, action, body);
      case 'Status':
        return Promise.resolve(this.#status(terminal, body));
      case 'Void':
        return Promise.resolve(this.#void(terminal, body));
      case 'AbortTransaction':
        return Promise.resolve(this.#abort(terminal, body));
      case 'StatusList':
        return Promise.resolve(this.#statusList(terminal, body));
      case 'TipAdjust':
        return Promise.resolve(this.#tipAdjust(terminal, body));
      case 'Settle':
        return Promise.resolve(this.#settle(terminal));
      default:
        return refused(this, '1', '1002', 'Not implemented');
    }
  }

  /** @internal */
  general(result: string, code: string, message: string, more: object = {}): DeskReply {
    return this.#general(result, code, message, more);
  }

  #push(
    terminal: Terminal,
    kind: Charge['kind'],
    body: DeskCall['body'],
  ): Promise<DeskReply | typeof closed> {
    const { settings } = this.#world;
    const reference = textOf(body.ReferenceId);
    const seconds = body.SPInProxyTimeout ?? 120;
    const askedCents = centsOf(body.Amount);
    if (typeof seconds !== 'number' || seconds < 1 || seconds > 720) {
      return refused(this, '2', '2201', 'SPInProxyTimeout must be 1 to 720');
    }
    const unknown = Object.keys(body).find((name) => !pushFields.includes(name));
    if (settings['unknown-fields'] === 'refused' && unknown !== undefined) {
      return refused(this, '2', '2201', `Unknown field ${unknown}`);
    }
    if (!/^[A-Za-z0-9]{1,50}$/.test(reference)) return refused(this, '1', '1010', 'Reference missing');
    if (askedCents <= 0) return refused(this, '1', '1013', 'Bad amount');
    if (terminal.state === 'Offline') return refused(this, '2', '2001', 'Terminal not connected');
    if (terminal.running !== null) {
      const seconds = Math.max(1, Math.ceil((terminal.running.givesUpAtMs - this.#world.nowMs()) / 1_000));
      const delays = { number: seconds, text: String(seconds), missing: undefined } as const;
      const delay = delays[settings['delay-type'] as keyof typeof delays];
      return refused(this, '2', '2008', 'Terminal in use', { DelayBeforeNextRequest: delay });
    }
    const isUsed = (charges: readonly Charge[]) => charges.some((it) => it.reference === reference);
    if (isUsed(terminal.charges)) return refused(this, '1', '1011', 'Reference used');
    if (settings['reference-in-later-batch'] === 'refused' && isUsed(terminal.former)) {
      return refused(this, '1', '1011', 'Reference used');
    }
    const sticksAfter = Number(settings['sticks-after-aborts']);
    if (sticksAfter > 0 && terminal.aborts >= sticksAfter) return refused(this, '1', '1012', 'Canceled');
    return new Promise((answer) => {
      terminal.running = {
        ...{ reference, kind, type: textOf(body.PaymentType) || 'Debit', askedCents },
        givesUpAtMs: this.#world.nowMs() + seconds * 1_000,
        ...{ answer, isAnswered: false },
      };
      const act = this.#acts.get(terminal.tpn)?.shift();
      if (act !== undefined) this.#act(terminal, act);
      else if (settings.customer === 'taps') this.#act(terminal, { does: 'tap' });
    });
  }

  #act(terminal: Terminal, act: CustomerAct): void {
    const running = terminal.running!;
    terminal.running = null;
    const answer = (reply: DeskReply | typeof closed) => {
      if (!running.isAnswered) running.answer(reply);
    };
    if (act.does !== 'tap') {
      const about = { ReferenceId: running.reference };
      const host = { HostResponseCode: act.hostCode ?? '51', HostResponseMessage: 'DECLINED' };
      answer(
        act.does === 'cancel'
          ? this.#general('1', '1012', 'Canceled', about)
          : this.#general('1', '1015', 'Declined', about, host),
      );
      return;
    }
    const goodsCents = Math.min(act.approvedCents ?? running.askedCents, running.askedCents);
    const charge: Charge = {
      ...{ reference: running.reference, kind: running.kind, type: running.type },
      ...{ askedCents: running.askedCents, goodsCents, tipCents: act.tipCents ?? 0 },
      ...{ cashBackCents: act.cashBackCents ?? 0, feeCents: act.feeCents ?? 0 },
      authCode: String(100_000 + Math.floor(this.#world.draw() * 900_000)),
      ...{ number: terminal.nextNumber++, batch: terminal.batch, voided: false },
      visibleFromMs: this.#world.nowMs() + (act.visibleAfterSeconds ?? 0) * 1_000,
    };
    terminal.charges.push(charge);
    this.#book(charge, charge.kind === 'Sale' ? totalOf(charge) : -totalOf(charge));
    answer(act.paperOut ? this.#general('1', '1006', 'Paper out') : this.#approved(charge));
  }

  #book({ reference }: Charge, cents: number): void {
    this.ledger.entries.push({ reference, cents, atMs: this.#world.nowMs() });
  }

  #status(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const charge = this.#find(terminal, textOf(body.ReferenceId));
    const isOtherType = charge !== undefined && ![charge.type, 'Card'].includes(textOf(body.PaymentType));
    const isHidden = isOtherType && this.#world.settings['status-of-other-type'] === 'not-found';
    if (charge === undefined || isHidden) return this.#general('1', '1001', 'Not Found');
    return this.#approved(charge);
  }

  /** The open batch by index, from 1; a range beyond its end is none. */
  #statusList(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const [from, to] = [Number(body.TransactionFromIndex), Number(body.TransactionToIndex)];
    if (!(from >= 1 && to >= from && to <= 5_000)) return this.#general('1', '1013', 'Bad range');
    const rows = terminal.charges.slice(from - 1, to).map((charge) => this.#approved(charge).body);
    return this.#general('0', '0000', 'Listed', { Transactions: rows });
  }

  /** Replaces the tip of a credit sale of the open batch. */
  #tipAdjust(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const charge = terminal.charges.find((it) => it.reference === body.ReferenceId);
    const isTheirs = charge?.kind === 'Sale' && !charge.voided && body.CardLast4 === lastFour;
    if (charge === undefined || !isTheirs) return this.#general('1', '1001', 'Not Found');
    const onDebit = this.#world.settings['debit-tip-adjust']!;
    if (charge.type === 'Debit' && onDebit !== 'allow') return this.#general('1', onDebit, 'Not allowed');
    const tipCents = centsOf(body.TipAmount);
    if (tipCents !== charge.tipCents) this.#book(charge, tipCents - charge.tipCents);
    charge.tipCents = tipCents;
    return this.#approved(charge);
  }

  #find(terminal: Terminal, reference: string): Charge | undefined {
    const isSought = (it: Charge) => it.reference === reference && it.visibleFromMs <= this.#world.nowMs();
    const open = terminal.charges.find(isSought);
    if (open !== undefined || this.#world.settings['status-after-close'] === 'not-found') return open;
    return terminal.former.find(isSought);
  }

  #void(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const charge = terminal.charges.find((it) => it.reference === body.ReferenceId);
    if (charge === undefined || charge.voided) return this.#general('1', '1001', 'Not Found');
    if (charge.type === 'Debit' && this.#world.settings['debit-void'] === 'refuse') {
      return this.#general('1', '1004', 'Not allowed');
    }
    if (centsOf(body.Amount) !== totalOf(charge)) return this.#general('1', '1013', 'Other amount');
    charge.voided = true;
    this.#book(charge, charge.kind === 'Sale' ? -totalOf(charge) : totalOf(charge));
    return this.#approved(charge);
  }

  #abort(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const { settings } = this.#world;
    const { running } = terminal;
    const reference = textOf(body.ReferenceId);
    if (running === null || (reference !== '' && reference !== running.reference)) {
      return settings['late-abort'] === 'accepted' && reference !== '' && running === null
        ? this.#general('0', '0000', 'Aborted')
        : this.#general('2', '2301', 'Nothing is being processed');
    }
    terminal.running = null;
    terminal.aborts += 1;
    if (!running.isAnswered) {
      const code = settings['answer-after-abort'];
      running.answer(
        code === 'close' ? closed : this.#general(code === '1012' ? '1' : '2', code!, 'Canceled'),
      );
    }
    return this.#general('0', '0000', 'Aborted');
  }

  #settle(terminal: Terminal): DeskReply {
    if (terminal.running !== null) return this.#general('1', '1000', 'Terminal busy');
    if (terminal.charges.length === 0) return this.#general('1', '1020', 'No open batch');
    const sum = (kind: Charge['kind']) =>
      terminal.charges
        .filter((it) => it.kind === kind && !it.voided)
        .reduce((cents, it) => cents + totalOf(it), 0);
    const [sales, returns] = [sum('Sale'), sum('Return')];
    const count = terminal.charges.length;
    this.closeBatch(terminal.tpn);
    return this.#general('0', '0000', 'Settled', {
      SettleDetails: [
        {
          Application: 'Debit',
          TransactionsReports: {
            ...{ TransactionsCount: count, SaleAmount: sales / 100, ReturnAmount: returns / 100 },
            TotalAmount: (sales - returns) / 100,
          },
        },
      ],
    });
  }

  #terminalStatus(query: URLSearchParams): DeskReply {
    const tpn = query.get('request.tpn') ?? '';
    const terminal = this.#terminals.get(tpn);
    const isKnown = terminal?.authkey === query.get('request.authkey');
    const state = isKnown ? terminal!.state : 'NotFound';
    return { status: state === 'NotFound' ? 404 : 200, body: { TerminalStatus: state, Tpn: tpn } };
  }

  #known(tpn: string): Terminal {
    const terminal = this.#terminals.get(tpn);
    if (terminal === undefined) throw new Error(`There is no terminal ${tpn}.`);
    return terminal;
  }

  #approved(charge: Charge): DeskReply {
    const isPart = charge.goodsCents < charge.askedCents;
    const cashBack = (charge.cashBackCents / 100).toFixed(2);
    const data = { Debit: { CashBack: cashBack, Fee: '0.00' } };
    const shapes = { object: data, array: [data.Debit], missing: undefined } as const;
    return this.#general('0', isPart ? '0001' : '0000', 'Approved', {
      ...{ PaymentType: charge.type, TransactionType: charge.kind, ReferenceId: charge.reference },
      Amounts: {
        TotalAmount: totalOf(charge) / 100,
        Amount: (charge.goodsCents + charge.tipCents) / 100,
        TipAmount: charge.tipCents === 0 ? null : charge.tipCents / 100,
        FeeAmount: charge.feeCents === 0 ? null : charge.feeCents / 100,
        TaxAmount: null,
      },
      ...{ AuthCode: charge.authCode, BatchNumber: String(charge.batch) },
      ...{ TransactionNumber: String(charge.number), Voided: charge.voided },
      CardData: { CardType: 'Visa', EntryType: 'Chip', Last4: lastFour },
      ExtendedDataByApplication: shapes[this.#world.settings['extended-data'] as keyof typeof shapes],
    });
  }

  #general(result: string, code: string, message: string, more: object = {}, host: object = {}): DeskReply {
    const { settings } = this.#world;
    const isNumber = settings['code-type'] === 'number';
    const general = {
      ResultCode: isNumber && result === '0' ? 'Ok' : result,
      StatusCode: isNumber ? Number(code) : code,
      ...{ Message: message, DetailedMessage: message.toUpperCase() },
      ...host,
    };
    const { DelayBeforeNextRequest: delay, ...rest } = more as Record<string, unknown>;
    return {
      status: result === '2' ? Number(settings['error-status']) : 200,
      body: {
        GeneralResponse: { ...general, ...(delay !== undefined && { DelayBeforeNextRequest: delay }) },
        ...rest,
      },
    };
  }
}

function totalOf({ goodsCents, tipCents, cashBackCents, feeCents }: Charge): number {
  return goodsCents + tipCents + cashBackCents + feeCents;
}

function refused(
  desk: TerminalDesk,
  result: string,
  code: string,
  message: string,
  more: object = {},
): Promise<DeskReply> {
  return Promise.resolve(desk.general(result, code, message, more));
}
