import {
  centsOf,
  closed,
  type DeskCall,
  type DeskHook,
  type DeskLedger,
  type DeskReply,
  type PaymentWorld,
  textOf,
} from './provider-desk.ts';
import { type HeldCharge, type LeftInBatch, printsSlip, TerminalBatch } from './terminal-batch.ts';
import { approved, type Charge, general, isGood } from './terminal-replies.ts';

/** What the customer at a terminal does. */
export interface CustomerAct {
  /** A wrong PIN is asked for again; the third one is a decline. */
  readonly does: 'tap' | 'decline' | 'cancel' | 'wrong-pin';
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
  /** The terminal loses its line once the card is read: the proxy never hears of it. */
  readonly losesLine?: boolean;
}

type Answer = DeskReply | typeof closed;

interface Running {
  readonly reference: string;
  readonly kind: Charge['kind'];
  readonly type: string;
  readonly askedCents: number;
  readonly tipCents: number;
  readonly callback: string | null;
  answer(reply: Answer): void;
  isAnswered: boolean;
  wrongPins: number;
}

/** A request whose answer is held until then at most; the terminal may go on asking. */
interface Held {
  readonly givesUpAtMs: number;
  giveUp(): void;
}

interface Terminal {
  readonly tpn: string;
  readonly authkey: string;
  /** `Twice`: two devices have its number. */
  state: 'Online' | 'Offline' | 'NotFound' | 'Twice';
  readonly batch: TerminalBatch;
  running: (Running & Held) | null;
  aborts: number;
  closesAtMs: number | null;
}

const pinsMax = 3;
const timeoutSecondsMax = 720;
const waitSeconds = { push: 120, settle: 420 } as const;
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
  #held: Held[] = [];
  #ghosts: { readonly terminal: Terminal; readonly asked: Running; readonly atMs: number }[] = [];
  #callbacks: DeskHook[] = [];

  constructor(world: PaymentWorld, tpns: readonly { readonly tpn: string; readonly authkey: string }[]) {
    this.#world = world;
    for (const { tpn, authkey } of tpns) {
      const batch = new TerminalBatch(world, this.ledger);
      const state = 'Online' as const;
      this.#terminals.set(tpn, { tpn, authkey, state, batch, running: null, aborts: 0, closesAtMs: null });
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

  /** Whether there is paper in it. */
  paper(tpn: string, hasPaper: boolean): void {
    this.#known(tpn).batch.hasPaper = hasPaper;
  }

  /** The payments whose slips it printed. */
  printed(tpn: string): readonly string[] {
    return this.#known(tpn).batch.printed;
  }

  /** Closes the batch, as at night. */
  closeBatch(tpn: string): void {
    this.#known(tpn).batch.close();
  }

  /** Lets the terminal close its batch by itself, in so many seconds. */
  closeBatchIn(tpn: string, seconds: number): void {
    this.#known(tpn).closesAtMs = this.#world.nowMs() + seconds * 1_000;
  }

  /** What keeps the batch open, and the application whose host refuses to settle. */
  hinder(tpn: string, left: LeftInBatch | null, refusing: string | null = null): void {
    Object.assign(this.#known(tpn).batch, { left, refusing });
  }

  /** The question that a terminal shows; null: none. */
  asked(tpn: string): { readonly reference: string; readonly cents: number } | null {
    const { running } = this.#known(tpn);
    return running === null ? null : { reference: running.reference, cents: running.askedCents };
  }

  /** Holds what a terminal did in an earlier run of this server. */
  hold(tpn: string, held: HeldCharge): void {
    this.#known(tpn).batch.hold(held);
  }

  /** Ends the wait of requests whose time is over; the terminal goes on asking. */
  tick(): void {
    const nowMs = this.#world.nowMs();
    for (const terminal of this.#terminals.values()) {
      const { running, closesAtMs } = terminal;
      if (running !== null && !running.isAnswered && nowMs >= running.givesUpAtMs) running.giveUp();
      const waits = running !== null && this.#world.settings['auto-close'] === 'after-sale';
      if (closesAtMs === null || nowMs < closesAtMs || waits) continue;
      terminal.closesAtMs = null;
      terminal.batch.close();
    }
    const [over, held] = [this.#held, []] as [Held[], Held[]];
    this.#held = held;
    for (const it of over) {
      if (nowMs >= it.givesUpAtMs) it.giveUp();
      else held.push(it);
    }
    const ghosts = this.#ghosts;
    this.#ghosts = [];
    for (const ghost of ghosts) {
      const { terminal, asked, atMs } = ghost;
      if (nowMs < atMs || terminal.state !== 'Online' || terminal.running !== null) this.#ghosts.push(ghost);
      else this.#prompt(terminal, { ...asked, givesUpAtMs: nowMs, giveUp: () => {} });
    }
  }

  /** The callbacks that are due. */
  takeHooks(): DeskHook[] {
    return this.#callbacks.splice(0);
  }

  handle(call: DeskCall): Promise<Answer> | null {
    const { path, body, query } = call;
    if (path === '/v2/Common/TerminalStatus') return Promise.resolve(this.#terminalStatus(query));
    const [, room, action] = /^\/v2\/(Payment|Report)\/(\w+)$/.exec(path) ?? [];
    if (action === undefined) return null;
    const terminal = this.#terminals.get(textOf(body.Tpn));
    if (terminal === undefined || terminal.state === 'NotFound') return this.#refused('2003', 'TPN unknown');
    if (terminal.authkey !== body.Authkey) return this.#refused('2002', 'Key unknown');
    if (terminal.state === 'Twice') return this.#refused('2005', 'TPN used twice');
    if (room === 'Report') return Promise.resolve(terminal.batch.report());
    switch (action) {
      case 'Sale':
      case 'Return':
        return this.#push(terminal, action, body);
      case 'Status':
        // What is known is known at its proxy; paper is in the terminal.
        if (printsSlip(body) && terminal.state === 'Offline')
          return this.#refused('2001', 'Terminal not connected');
        return Promise.resolve(terminal.batch.status(body));
      case 'Void':
        return Promise.resolve(terminal.batch.void(body));
      case 'AbortTransaction':
        return Promise.resolve(this.#abort(terminal, body));
      case 'StatusList':
        return Promise.resolve(terminal.batch.list(body));
      case 'TipAdjust':
        return Promise.resolve(terminal.batch.adjustTip(body));
      case 'Settle':
        return this.#settle(terminal, body);
      default:
        return Promise.resolve(this.#general('1', '1002', 'Not implemented'));
    }
  }

  #push(terminal: Terminal, kind: Charge['kind'], body: DeskCall['body']): Promise<Answer> {
    const asked = this.#readPush(terminal, kind, body);
    if ('refusal' in asked) return Promise.resolve(asked.refusal);
    return new Promise((resolve) => {
      const running: Terminal['running'] = {
        ...{ ...asked, isAnswered: false, wrongPins: 0, answer: resolve },
        giveUp: () => {
          if (running!.isAnswered) return;
          running!.isAnswered = true;
          resolve(this.#general('2', '2007', 'No answer from the terminal'));
        },
      };
      this.#prompt(terminal, running!);
    });
  }

  #readPush(terminal: Terminal, kind: Charge['kind'], body: DeskCall['body']) {
    const { settings } = this.#world;
    const refusal = (result: string, code: string, message: string, more: object = {}) => {
      return { refusal: this.#general(result, code, message, more) };
    };
    const reference = textOf(body.ReferenceId);
    const seconds = timeoutOf(body, waitSeconds.push);
    const askedCents = centsOf(body.Amount);
    if (seconds === null) return refusal('2', '2201', `SPInProxyTimeout must be 1 to ${timeoutSecondsMax}`);
    const unknown = Object.keys(body).find((name) => !pushFields.includes(name));
    if (settings['unknown-fields'] === 'refused' && unknown !== undefined) {
      return refusal('2', '2201', `Unknown field ${unknown}`);
    }
    if (!/^[A-Za-z0-9]{1,50}$/.test(reference)) return refusal('1', '1010', 'Reference missing');
    if (askedCents <= 0) return refusal('1', '1013', 'Bad amount');
    const givenCents = centsOf(body.TipAmount);
    const tipInside = settings['tip-in-amount'] === 'yes' ? givenCents : 0;
    const callback = textOf((body.CallbackInfo as { Url?: unknown } | undefined)?.Url) || null;
    const asked = {
      ...{ reference, kind, type: textOf(body.PaymentType) || 'Debit', callback, tipCents: givenCents },
      ...{ askedCents: askedCents - tipInside, givesUpAtMs: this.#world.nowMs() + seconds * 1_000 },
    };
    if (terminal.state === 'Offline') {
      const after = Number(settings['ghost-prompt-seconds']);
      const ghost = { ...asked, answer: () => {}, isAnswered: true, wrongPins: 0 };
      if (after > 0) {
        this.#ghosts.push({ terminal, asked: ghost, atMs: this.#world.nowMs() + after * 1_000 });
      }
      return refusal('2', '2001', 'Terminal not connected');
    }
    if (terminal.running !== null) {
      const left = Math.max(1, Math.ceil((terminal.running.givesUpAtMs - this.#world.nowMs()) / 1_000));
      const delays = { number: left, text: String(left), missing: undefined } as const;
      const delay = delays[settings['delay-type'] as keyof typeof delays];
      return refusal('2', '2008', 'Terminal in use', { DelayBeforeNextRequest: delay });
    }
    if (terminal.batch.isUsed(reference)) return refusal('1', '1011', 'Reference used');
    const sticksAfter = Number(settings['sticks-after-aborts']);
    if (sticksAfter > 0 && terminal.aborts >= sticksAfter) return refusal('1', '1012', 'Canceled');
    return asked;
  }

  #prompt(terminal: Terminal, running: Running & Held): void {
    terminal.running = running;
    const acts = this.#acts.get(terminal.tpn) ?? [];
    if (acts.length === 0 && this.#world.settings.customer === 'taps') acts.push({ does: 'tap' });
    while (terminal.running === running && acts.length > 0) this.#act(terminal, acts.shift()!);
  }

  #act(terminal: Terminal, act: CustomerAct): void {
    const running = terminal.running!;
    if (act.does === 'wrong-pin') {
      running.wrongPins += 1;
      if (running.wrongPins < pinsMax) return;
    }
    terminal.running = null;
    if (act.does !== 'tap') {
      this.#say(running, this.#notTaken(running, act));
      return;
    }
    const charge = this.#take(terminal, running, act);
    if (act.losesLine) {
      terminal.state = 'Offline';
      if (!running.isAnswered) this.#held.push(running);
      return;
    }
    const paperOut = this.#general('1', '1006', 'Paper out');
    this.#say(running, act.paperOut ? paperOut : approved(this.#world.settings, charge));
  }

  #notTaken({ reference }: Running, { does, hostCode = '51' }: CustomerAct): DeskReply {
    const about = { ReferenceId: reference };
    if (does === 'cancel') return this.#general('1', '1012', 'Canceled', about);
    const code = does === 'wrong-pin' ? '75' : hostCode;
    const host = { HostResponseCode: code, HostResponseMessage: 'DECLINED' };
    return general(this.#world.settings, '1', '1015', 'Declined', about, host);
  }

  #take(terminal: Terminal, running: Running, act: CustomerAct): Charge {
    const charge: Charge = {
      ...{ reference: running.reference, kind: running.kind, type: running.type },
      askedCents: running.askedCents,
      goodsCents: Math.min(act.approvedCents ?? running.askedCents, running.askedCents),
      tipCents: act.tipCents ?? running.tipCents,
      ...{ cashBackCents: act.cashBackCents ?? 0, feeCents: act.feeCents ?? 0 },
      authCode: String(100_000 + Math.floor(this.#world.draw() * 900_000)),
      ...{ number: terminal.batch.takeNumber(), batch: terminal.batch.number, voided: false },
      visibleFromMs: this.#world.nowMs() + (act.visibleAfterSeconds ?? 0) * 1_000,
    };
    terminal.batch.add(charge);
    return charge;
  }

  /** Ends a request: by its answer, its callback, or both. */
  #say(running: Running & Held, reply: DeskReply): void {
    const { settings } = this.#world;
    const answer = () => {
      if (!running.isAnswered) running.answer(reply);
      running.isAnswered = true;
    };
    const { callback: url } = running;
    if (url === null || settings.callback === 'none') {
      answer();
      return;
    }
    const { ReferenceId, GeneralResponse } = reply.body as Record<string, unknown>;
    const body = settings.callback === 'same' ? reply.body : { ReferenceId, GeneralResponse };
    const hook: DeskHook = { url, body: JSON.stringify(body), headers: {} };
    const time = settings['callback-time'];
    this.#callbacks.push(time === 'before' ? { ...hook, sent: answer } : hook);
    if (time === 'twice') this.#callbacks.push(hook);
    if (time === 'after' || time === 'twice') answer();
    else if (!running.isAnswered) this.#held.push(running);
  }

  #abort(terminal: Terminal, body: DeskCall['body']): DeskReply {
    const { settings } = this.#world;
    const { running } = terminal;
    const reference = textOf(body.ReferenceId);
    const isOther = running !== null && reference !== '' && reference !== running.reference;
    if (running === null || isOther) {
      const late = settings['late-abort'];
      const isPast = running === null && reference !== '';
      if (isPast && late === 'reversed') terminal.batch.reverse(reference);
      return isPast && late !== 'nothing-running'
        ? this.#general('0', '0000', 'Aborted')
        : this.#general('2', '2301', 'Nothing is being processed');
    }
    terminal.running = null;
    terminal.aborts += 1;
    if (!running.isAnswered) {
      const code = settings['answer-after-abort'];
      running.isAnswered = true;
      running.answer(
        code === 'close' ? closed : this.#general(code === '1012' ? '1' : '2', code, 'Canceled'),
      );
    }
    return this.#general('0', '0000', 'Aborted');
  }

  #settle(terminal: Terminal, body: DeskCall['body']): Promise<Answer> {
    const seconds = timeoutOf(body, waitSeconds.settle);
    if (seconds === null) return this.#refused('2201', 'SPInProxyTimeout');
    if (terminal.state === 'Offline') return this.#refused('2001', 'Terminal not connected');
    if (terminal.running !== null) return Promise.resolve(this.#general('1', '1000', 'Terminal busy'));
    const reply = terminal.batch.settle(body);
    const isLost = this.#world.settings['settle-answer'] === 'lost' && isGood(reply);
    if (!isLost) return Promise.resolve(reply);
    return new Promise((resolve) => {
      this.#held.push({
        givesUpAtMs: this.#world.nowMs() + seconds * 1_000,
        giveUp: () => resolve(this.#general('2', '2007', 'No answer from the terminal')),
      });
    });
  }

  #terminalStatus(query: URLSearchParams): DeskReply {
    const tpn = query.get('request.tpn') ?? '';
    const terminal = this.#terminals.get(tpn);
    const isKnown = terminal?.authkey === query.get('request.authkey');
    const state = isKnown && terminal!.state !== 'Twice' ? terminal!.state : 'NotFound';
    return { status: state === 'NotFound' ? 404 : 200, body: { TerminalStatus: state, Tpn: tpn } };
  }

  #known(tpn: string): Terminal {
    const terminal = this.#terminals.get(tpn);
    if (terminal === undefined) throw new Error(`There is no terminal ${tpn}.`);
    return terminal;
  }

  #general(result: string, code: string, message: string, more: object = {}): DeskReply {
    return general(this.#world.settings, result, code, message, more);
  }

  #refused(code: string, message: string): Promise<DeskReply> {
    return Promise.resolve(this.#general('2', code, message));
  }
}

/** Null: it is none of those that the proxy takes. */
function timeoutOf({ SPInProxyTimeout: seconds }: DeskCall['body'], byDefault: number): number | null {
  if (seconds === undefined || seconds === null) return byDefault;
  return typeof seconds === 'number' && seconds >= 1 && seconds <= timeoutSecondsMax ? seconds : null;
}
