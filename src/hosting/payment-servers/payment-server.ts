import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '../../../seed/seeded-random.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type Fault, FaultPlan } from '../state-server/fault-plan.ts';
import { BankDesk } from './bank-desk.ts';
import { type PaymentSwitch, PaymentSwitchError, paymentDefaults, turned } from './payment-switches.ts';
import { closed, type DeskCall, type DeskReply, type PaymentWorld } from './provider-desk.ts';
import { type CustomerAct, TerminalDesk } from './terminal-desk.ts';

/** What shops are given: accounts at the two providers. */
export const paymentAccounts = {
  terminals: [
    { tpn: '224900017731', authkey: 'q8Zr4TnWb2' },
    { tpn: '224900017732', authkey: 'k2Xv9LmPd7' },
  ],
  bank: { apiKey: 'bank-api-key', apiSecret: 'bank-api-secret', merchantId: 7001 },
} as const;

/**
 * A stand-in for the providers of payments, over HTTP, for tests, demos and integrators: card terminals behind their proxy, and
 * pay by bank. It knows what is known of them and nothing of this product. Its state is in memory; the same seed and the
 * same calls give the same replies.
 */
export interface PaymentServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly terminals: TerminalDesk;
  readonly bank: BankDesk;
  readonly faults: FaultPlan;
  /** Methods and paths of the calls so far. */
  readonly calls: readonly string[];
  turn(changes: Readonly<Partial<Record<PaymentSwitch, string>>>): void;
  /** Moves its own clock; what its time ends, ends. */
  advance(seconds: number): void;
  /** Sends the webhooks that are due; resolves to their statuses. */
  sendHooks(): Promise<readonly number[]>;
  /** Resolves when a call hangs, or a terminal asks its customer. */
  whenHeld(): Promise<void>;
  /** Closes the connections that hang. */
  letGo(): void;
  close(): Promise<void>;
}

export interface PaymentServerWishes {
  readonly seed?: string;
  readonly switches?: Readonly<Partial<Record<PaymentSwitch, string>>>;
  readonly clock?: Clock;
  /** Sends webhooks by itself, and lets its time pass. */
  readonly runs?: boolean;
  readonly host?: string;
  /** 0: any that is free. */
  readonly port?: number;
}

const bodyBytesMax = 1_000_000;
const callsKept = 1_000;
const everyMs = 1_000;
/** A receiver of webhooks that is slower has not answered. */
const hookMsMax = 3_000;

/** Starts the server. Fails if the port is in use, or a switch does not exist (PaymentSwitchError). */
export async function startPaymentServer(wishes: PaymentServerWishes = {}): Promise<PaymentServer> {
  const { seed = 'demo', host = '127.0.0.1', port = 0, clock = systemClock } = wishes;
  const frame = new Frame(seed, clock, () => url);
  frame.turn(wishes.switches ?? {});
  const server = createServer((request, response) => void frame.carry(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const pass = () => {
    frame.tick();
    void frame.sendHooks();
  };
  const timer = wishes.runs ? setInterval(pass, everyMs).unref() : undefined;
  return {
    ...{ url, terminals: frame.terminals, bank: frame.bank, faults: frame.faults, calls: frame.calls },
    turn: (changes) => frame.turn(changes),
    advance: (seconds) => frame.advance(seconds),
    sendHooks: () => frame.sendHooks(),
    whenHeld: () => frame.whenHeld(),
    letGo: () => frame.letGo(),
    close: async () => {
      clearInterval(timer);
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await ended;
    },
  };
}

/** What happens to a call around its answer: faults, connections that hang, the control of who stages it. */
class Frame {
  readonly faults = new FaultPlan();
  readonly calls: string[] = [];
  readonly terminals: TerminalDesk;
  readonly bank: BankDesk;
  readonly #world: PaymentWorld;
  readonly #held = new Set<ServerResponse>();
  #waiting: (() => void)[] = [];
  #aheadMs = 0;

  constructor(seed: string, clock: Clock, urlOf: () => string) {
    const draws = seededRandom(seed);
    this.#world = {
      settings: paymentDefaults,
      nowMs: () => clock.now() + this.#aheadMs,
      draw: () => draws.next(),
    };
    this.terminals = new TerminalDesk(this.#world, paymentAccounts.terminals);
    this.bank = new BankDesk(this.#world, paymentAccounts.bank, urlOf);
  }

  turn(changes: Readonly<Record<string, string>>): void {
    this.#world.settings = turned(this.#world.settings, changes);
  }

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1_000;
    this.tick();
  }

  tick(): void {
    this.terminals.tick();
    this.bank.tick();
  }

  async sendHooks(): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (const { url, body, headers, sent } of [...this.terminals.takeHooks(), ...this.bank.takeHooks()]) {
      const answer = await fetch(url, {
        ...{ method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } },
        signal: AbortSignal.timeout(hookMsMax),
      }).catch(() => null);
      const status = answer?.status ?? 0;
      sent?.(status);
      statuses.push(status);
    }
    return statuses;
  }

  whenHeld(): Promise<void> {
    if (this.#isHolding()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  letGo(): void {
    for (const response of this.#held) response.destroy();
  }

  async carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
      const method = request.method ?? 'GET';
      const body = await bodyOf(request);
      this.calls.push(`${method} ${path}`);
      if (this.calls.length > callsKept) this.calls.shift();
      const call: DeskCall = {
        method,
        path,
        query: new URLSearchParams(query),
        headers: request.headers,
        body,
      };
      if (path.startsWith('/control')) return send(response, this.#control(call));
      const draw = {
        method,
        path,
        license: null,
        nowMs: this.#world.nowMs(),
        draw: () => this.#world.draw(),
      };
      await this.#answer(response, call, this.faults.take(draw));
    } catch (error) {
      const isRefused = error instanceof PaymentSwitchError;
      const message = isRefused ? error.message : `Payment server: ${(error as Error).stack}`;
      send(response, { status: isRefused ? 400 : 500, body: { message } });
    }
  }

  async #answer(response: ServerResponse, call: DeskCall, fault: Fault | undefined): Promise<void> {
    if (fault?.kind === 'hang') return this.#hold(response);
    if (fault?.kind === 'close') return void response.destroy();
    if (fault?.kind === 'status' || fault?.kind === 'html') {
      return send(response, { status: fault.status ?? 503, html: '<h1>Maintenance</h1>' });
    }
    const answering = this.terminals.handle(call);
    if (answering !== null) this.#wake();
    if (fault?.kind === 'double-write') this.bank.handle(call);
    const reply = answering === null ? this.bank.handle(call) : await answering;
    switch (fault?.kind) {
      case 'commit-then-hang':
        return this.#hold(response);
      case 'commit-then-close':
        return void response.destroy();
      case 'commit-then-500':
        return send(response, { status: 500, html: '<h1>Error</h1>' });
      case 'commit-then-cut':
        return cut(response, reply);
      default:
        if (reply === closed) response.destroy();
        else send(response, reply ?? { status: 404, body: { message: 'There is nothing here.' } });
    }
  }

  #hold(response: ServerResponse): void {
    this.#held.add(response);
    response.once('close', () => this.#held.delete(response));
    this.#wake();
  }

  #isHolding(): boolean {
    const isAsking = paymentAccounts.terminals.some(({ tpn }) => this.terminals.asked(tpn) !== null);
    return this.#held.size > 0 || isAsking;
  }

  #wake(): void {
    if (!this.#isHolding()) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Without a reference, of the payment that was captured last. */
  #return(reference: string, code: string): boolean {
    return this.bank.returns(reference || (this.bank.newest() ?? ''), code || 'R01');
  }

  /** For who stages a demo: switches, faults, the clock, and what customers and banks do. */
  #control({ method, path, body }: DeskCall): DeskReply {
    const text = (name: string) => String(body[name] ?? '');
    switch (`${method} ${path}`) {
      case 'PUT /control/switches':
        this.turn(body as Record<string, string>);
        return { status: 200, body: this.#world.settings };
      case 'POST /control/faults':
        this.faults.plan(body as unknown as Fault);
        return { status: 200, body: this.faults.list() };
      case 'PUT /control/clock':
        this.advance(Number(body.advanceSeconds ?? 0));
        return { status: 200, body: { now: new Date(this.#world.nowMs()).toISOString() } };
      case 'POST /control/customer':
        this.terminals.customer(text('tpn'), body as unknown as CustomerAct);
        return { status: 200, body: {} };
      case 'POST /control/returns':
        return { status: 200, body: { isReturned: this.#return(text('reference'), text('code')) } };
      case 'PUT /control/refusal':
        this.bank.refuses((body.code ?? null) as Parameters<BankDesk['refuses']>[0]);
        return { status: 200, body: {} };
      case 'POST /control/batch':
        this.terminals.closeBatch(text('tpn'));
        return { status: 200, body: {} };
      case 'PUT /control/terminal':
        this.terminals.power(text('tpn'), text('state') as Parameters<TerminalDesk['power']>[1]);
        return { status: 200, body: {} };
      case 'GET /control':
        return { status: 200, body: { ...this.#world.settings } };
      default:
        return { status: 404, body: { message: 'There is no such control.' } };
    }
  }
}

function send(response: ServerResponse, { status, body, html }: DeskReply): void {
  if (html !== undefined) return void response.writeHead(status, { 'Content-Type': 'text/html' }).end(html);
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'Content-Type': isText ? 'text/csv' : 'application/json' })
    .end(isText ? body : JSON.stringify(body));
}

/** As by a gateway that loses the rest: status and length say nothing of it. */
function cut(response: ServerResponse, reply: DeskReply | typeof closed | null): void {
  if (reply === closed || reply === null) return void response.destroy();
  const text = JSON.stringify(reply.body ?? {});
  response
    .writeHead(reply.status, { 'Content-Type': 'application/json' })
    .end(text.slice(0, text.length >> 1));
}

async function bodyOf(request: IncomingMessage): Promise<DeskCall['body']> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytesMax) return {};
    chunks.push(chunk as Buffer);
  }
  try {
    const read: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return typeof read === 'object' && read !== null ? (read as DeskCall['body']) : {};
  } catch {
    return {};
  }
}
