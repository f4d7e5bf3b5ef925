import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type Arrived, callAnswerer, keysOf, type Reply } from './answer-call.ts';
import { type AnsweredCall, controlReply, editByPeople, moveClock } from './control-desk.ts';
import { type Fault, FaultPlan } from './fault-plan.ts';
import { RateGate } from './rate-gate.ts';
import { seedWorld } from './seed-world.ts';
import { HookSender } from './send-hooks.ts';
import { stateRoutes } from './state-routes.ts';
import type { SwitchName } from './state-switches.ts';
import { StateWorld } from './state-world.ts';

/**
 * A stand-in for the traceability system of a state, over HTTP, for tests, demos and integrators. It knows what is known of
 * the system and nothing of this product: it shares no code with what speaks to the system. Its state is in memory; the same
 * seed and the same calls give the same replies.
 */
export interface StateServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The true state, its clock and its switches. */
  readonly world: StateWorld;
  readonly faults: FaultPlan;
  /** The last calls, oldest first. */
  readonly calls: readonly AnsweredCall[];
  /** An edit of a person on the state's website; returns the id. Fails with a RefusedRow. */
  people(edit: string, members: unknown): number;
  /** Sends the webhooks that are due; resolves to the number of calls. With `sendsHooks` this happens each second. */
  sendHooks(): Promise<number>;
  /** Moves its own clock. */
  advance(seconds: number): void;
  /** Resolves when this many calls hang. */
  whenHeld(count: number): Promise<void>;
  /** Closes the connections that hang. */
  letGo(): void;
  close(): Promise<void>;
}

export interface StateServerWishes {
  readonly seed?: string;
  /** Two capital letters; by default CA. */
  readonly state?: string;
  /** Packages of each shop. */
  readonly packages?: number;
  readonly switches?: Readonly<Partial<Record<SwitchName, string>>>;
  /** The moment at which its clock stands; by default it runs with that of the machine. */
  readonly standsAt?: string;
  readonly clock?: Clock;
  /** Sends webhooks by itself. */
  readonly sendsHooks?: boolean;
  readonly host?: string;
  /** 0: any that is free. */
  readonly port?: number;
}

const bodyBytesMax = 5_000_000;
const callsKept = 1_000;
const hookEveryMs = 1_000;

/** Starts the server. Fails if the port is in use, or a switch does not exist (SwitchError). */
export async function startStateServer(wishes: StateServerWishes = {}): Promise<StateServer> {
  const { seed = 'demo', state = 'CA', packages = 24, host = '127.0.0.1', port = 0 } = wishes;
  const world = new StateWorld(seed, state, wishes.clock ?? systemClock);
  world.turn(wishes.switches ?? {});
  if (wishes.standsAt !== undefined) {
    world.clockSetting = { aheadMs: 0, standsAtMs: Date.parse(wishes.standsAt) };
  }
  seedWorld(world, { state, packages });
  const frame = new CallFrame(world);
  const server = createServer((request, response) => void frame.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const timer = wishes.sendsHooks
    ? setInterval(() => void frame.sendHooks(), hookEveryMs).unref()
    : undefined;
  return {
    url: `http://${host}:${address.port}`,
    ...{ world, faults: frame.faults, calls: frame.calls },
    people: (edit, members) => editByPeople(world, edit, members),
    sendHooks: () => frame.sendHooks(),
    advance: (seconds) => moveClock(world, { now: null, stands: null, advanceSeconds: seconds }),
    whenHeld: (count) => frame.whenHeld(count),
    letGo: () => frame.letGo(),
    close: async () => {
      clearInterval(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What happens to a call around its answer: limits, faults, the log. */
class CallFrame {
  readonly world: StateWorld;
  readonly faults = new FaultPlan();
  readonly calls: AnsweredCall[] = [];
  readonly #gate = new RateGate();
  readonly #hooks: HookSender;
  readonly #answer: ReturnType<typeof callAnswerer>;
  readonly #held = new Set<ServerResponse>();
  #waiting: { readonly count: number; resolve(): void }[] = [];

  constructor(world: StateWorld) {
    this.world = world;
    this.#answer = callAnswerer(world, stateRoutes);
    this.#hooks = new HookSender(world);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(request);
      if (body === null) {
        this.#send(request, response, tooLarge);
        return;
      }
      const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
      const arrived: Arrived = {
        ...{ method: request.method ?? 'GET', path, query: new URLSearchParams(query) },
        ...{ headers: request.headers, body },
      };
      if (path === '/control' || path.startsWith('/control/')) {
        sendReply(response, await controlReply(this, arrived));
        return;
      }
      this.#carry(request, response, arrived);
    } catch (error) {
      // A fault of this server itself: it is named, so that it is not taken for one of the state's.
      sendReply(response, { status: 500, body: { Message: `State server: ${(error as Error).stack}` } });
    }
  }

  #carry(request: IncomingMessage, response: ServerResponse, arrived: Arrived): void {
    const { world } = this;
    const license = arrived.query.get('licenseNumber');
    if (arrived.method === 'GET' || world.settings['limit-writes'] === 'yes') {
      const caller = { license, vendor: keysOf(arrived.headers).vendor };
      const entered = this.#gate.enter(world.settings, world.machineMs(), caller);
      if ('retryAfter' in entered) {
        this.#tooMany(request, response, entered.retryAfter);
        return;
      }
      response.once('close', entered.leave);
    }
    world.wipeAtNight();
    const fault = this.faults.take({
      ...{ method: arrived.method, path: arrived.path, license, nowMs: world.nowMs() },
      draw: () => world.draws.next(),
    });
    const reply = replyBefore(fault, arrived) ?? this.#answer(arrived, fault);
    const isCommitted = fault?.kind.startsWith('commit-') === true;
    if (fault?.kind === 'hang' || fault?.kind === 'commit-then-hang') {
      this.#hold(request, response);
      return;
    }
    if (fault?.kind === 'close' || fault?.kind === 'commit-then-close') {
      this.#note(request, null);
      response.destroy();
      return;
    }
    if (fault?.kind === 'commit-then-cut') {
      const text = 'body' in reply ? JSON.stringify(reply.body) : reply.html;
      this.#send(request, response, { status: reply.status, html: text.slice(0, text.length >> 1) });
      return;
    }
    if (fault?.retryAfter !== undefined) response.setHeader('Retry-After', String(fault.retryAfter));
    this.#send(request, response, isCommitted ? serverFault : reply);
  }

  #tooMany(request: IncomingMessage, response: ServerResponse, seconds: number): void {
    if (this.world.settings['retry-after-missing'] === 'no') {
      response.setHeader('Retry-After', String(seconds));
    }
    this.#send(request, response, { status: 429, body: { Message: 'Too many requests' } });
  }

  #send(request: IncomingMessage, response: ServerResponse, reply: Reply | HtmlReply): void {
    this.#note(request, reply.status);
    sendReply(response, reply);
  }

  #note(request: IncomingMessage, status: number | null): void {
    this.calls.push({ method: request.method ?? '', path: request.url ?? '', status });
    if (this.calls.length > callsKept) this.calls.shift();
  }

  #hold(request: IncomingMessage, response: ServerResponse): void {
    this.#note(request, null);
    this.#held.add(response);
    response.once('close', () => this.#held.delete(response));
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.#held.size >= count) resolve();
      return this.#held.size < count;
    });
  }

  sendHooks(): Promise<number> {
    return this.#hooks.send();
  }

  whenHeld(count: number): Promise<void> {
    if (this.#held.size >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  letGo(): void {
    for (const response of this.#held) response.destroy();
  }
}

interface HtmlReply {
  readonly status: number;
  readonly html: string;
}

const tooLarge: Reply = { status: 413, body: { Message: 'The request body is too large' } };
const serverFault: Reply = { status: 500, body: { Message: 'An error has occurred.' } };

/** The reply of a fault that keeps the call from being carried out. */
function replyBefore(fault: Fault | undefined, { method }: Arrived): Reply | HtmlReply | undefined {
  switch (fault?.kind) {
    case 'hang':
    case 'close':
      return serverFault;
    case 'status':
      return { status: fault.status ?? 500, body: { Message: 'An error has occurred.' } };
    case 'html': {
      const status = fault.status ?? 503;
      return {
        status,
        html: `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`,
      };
    }
    case 'internal-400':
      return method === 'GET'
        ? undefined
        : {
            status: 400,
            body: { Message: "Could not load file or assembly 'System.Memory, Version=4.0.1.2'." },
          };
    default:
      return undefined;
  }
}

function sendReply(response: ServerResponse, reply: Reply | HtmlReply): void {
  if ('html' in reply) {
    response.writeHead(reply.status, { 'Content-Type': 'text/html' }).end(reply.html);
    return;
  }
  if (reply.body === undefined) {
    response.writeHead(reply.status).end();
    return;
  }
  if (typeof reply.body === 'string') {
    const type = reply.body.startsWith('<') ? 'text/html' : 'text/plain';
    response.writeHead(reply.status, { 'Content-Type': `${type}; charset=utf-8` }).end(reply.body);
    return;
  }
  response
    .writeHead(reply.status, { 'Content-Type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(reply.body));
}

/** Null: it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytesMax) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
