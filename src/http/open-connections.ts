import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { plainAddress } from '../kernel/address-ranges.ts';
import { addressBlock } from './address-block.ts';
import type { BoundsReached } from './bounds-reached.ts';

interface Seen {
  bytes: number;
  atMs: number;
  readonly openedAtMs: number;
  /** Null: of a trusted proxy, behind which there are many. */
  readonly block: string | null;
}

const lastRequestAtMs = Symbol('lastRequestAtMs');

type Watched = Socket & {
  [lastRequestAtMs]?: number;
  /** Node's own: the reply that is on its way on this connection. */
  _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null;
};

export interface ConnectionBounds {
  readonly silenceTimeoutMs: number;
  readonly checkPeriodMs: number;
  readonly countMax: number;
  readonly countOfAddressMax: number;
}

/**
 * The connections of a server; those on which nothing moves for too long are closed, whether a request was answered on
 * them or is waited for, or a reply is not taken. All are looked at now and then: a timer of each, as Node has them, is
 * set twice by every request.
 *
 * There are at most `countMax`, and `countOfAddressMax` of one address (of IPv6: of one /64) unless it is a trusted
 * proxy's. When one more comes, the slowest are closed: those whose last request is the longest ago, of which none is
 * being worked on.
 */
export class OpenConnections {
  readonly #seen = new Map<Watched, Seen>();
  readonly #ofBlock = new Map<string, Set<Watched>>();
  readonly #bounds: ConnectionBounds;
  readonly #isProxy: (address: string) => boolean;
  readonly #reached: BoundsReached;
  readonly #timer: NodeJS.Timeout;

  constructor(bounds: ConnectionBounds, isProxy: (address: string) => boolean, reached: BoundsReached) {
    this.#bounds = bounds;
    this.#isProxy = isProxy;
    this.#reached = reached;
    this.#timer = setInterval(() => this.#closeSilent(), bounds.checkPeriodMs);
    this.#timer.unref();
  }

  /** To be told of a server before it listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket));
  }

  /** To be told of every request; it is on the path of each, so no more than this is kept of it. */
  static noteRequest({ socket }: IncomingMessage, atMs: number): void {
    (socket as Watched)[lastRequestAtMs] = atMs;
  }

  /** Closes those that have sent nothing yet. */
  closeUnused(): void {
    for (const socket of this.#seen.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #open(socket: Watched): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const block = this.#isProxy(address) ? null : addressBlock(address, 64);
    const { countMax, countOfAddressMax } = this.#bounds;
    const ofBlock = block === null ? undefined : this.#ofBlock.get(block);
    const isRefused =
      (ofBlock !== undefined &&
        ofBlock.size >= countOfAddressMax &&
        !this.#closeSlowest(ofBlock.keys(), countOfAddressMax, 'connections-of-address', block!)) ||
      (this.#seen.size >= countMax &&
        !this.#closeSlowest(this.#seen.keys(), countMax, 'connections', address));
    if (isRefused) {
      socket.destroy();
      return;
    }
    const nowMs = performance.now();
    this.#seen.set(socket, { bytes: 0, atMs: nowMs, openedAtMs: nowMs, block });
    if (block !== null) {
      const known = this.#ofBlock.get(block);
      if (known) known.add(socket);
      else this.#ofBlock.set(block, new Set([socket]));
    }
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Watched): void {
    const block = this.#seen.get(socket)?.block;
    this.#seen.delete(socket);
    if (block === undefined || block === null) return;
    const ofBlock = this.#ofBlock.get(block);
    ofBlock?.delete(socket);
    if (ofBlock?.size === 0) this.#ofBlock.delete(block);
  }

  /** Closes about one in a hundred at once, so that not every further connection searches. False: all are at work. */
  #closeSlowest(
    sockets: Iterable<Watched>,
    countMax: number,
    bound: 'connections' | 'connections-of-address',
    from: string,
  ): boolean {
    const sinceMs = (socket: Watched) => socket[lastRequestAtMs] ?? this.#seen.get(socket)!.openedAtMs;
    const waiting = [...sockets].filter((socket) => !isAtWork(socket));
    const slowest = waiting.sort((a, b) => sinceMs(a) - sinceMs(b)).slice(0, Math.ceil(countMax / 128));
    for (const socket of slowest) {
      socket.destroy();
      // Its place is free at once: the event comes later.
      this.#forget(socket);
    }
    this.#reached.note(bound, from, Math.max(1, slowest.length));
    return slowest.length > 0;
  }

  #closeSilent(): void {
    const nowMs = performance.now();
    const { silenceTimeoutMs } = this.#bounds;
    for (const [socket, seen] of this.#seen) {
      // Of a reply that is on its way only the socket's own timer knows whether some of it was taken.
      const timeoutMs = socket.writableLength > 0 ? silenceTimeoutMs : 0;
      if ((socket.timeout ?? 0) !== timeoutMs) socket.setTimeout(timeoutMs);
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (timeoutMs > 0 || bytes !== seen.bytes) {
        seen.bytes = bytes;
        seen.atMs = nowMs;
      } else if (nowMs - seen.atMs >= silenceTimeoutMs) {
        socket.destroy();
      }
    }
  }
}

/** Whether a whole request is being answered on it. */
function isAtWork({ _httpMessage: reply }: Watched): boolean {
  return reply !== undefined && reply !== null && (reply.req.complete || reply.headersSent);
}
