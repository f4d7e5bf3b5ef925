import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { plainAddress } from '../../kernel/address-ranges.ts';
import { addressBlock } from './address-block.ts';
import type { BoundsReached } from './bounds-reached.ts';

interface Seen {
  bytes: number;
  atMs: number;
  readonly openedAtMs: number;
  /** Null for a trusted proxy, which carries many callers. */
  readonly block: string | null;
}

const lastRequestAtMs = Symbol('lastRequestAtMs');

type Watched = Socket & {
  [lastRequestAtMs]?: number;
  /** Node's own field: the reply in progress on this connection. */
  _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null;
};

interface ConnectionBounds {
  readonly silenceTimeoutMs: number;
  readonly checkPeriodMs: number;
  readonly countMax: number;
  readonly countOfAddressMax: number;
}

/**
 * The connections of a server. Closes those without progress for too long: idle, waiting for a request, or with a reply
 * that is not read. One sweep checks all of them; Node's timer per connection is set twice by every request.
 *
 * There are at most `countMax`, and `countOfAddressMax` per address (IPv6: per /64) unless it is a trusted proxy's. At
 * a limit, a new connection has the least recently used ones closed, among those without a request in progress.
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

  /** Call before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket));
  }

  /** Call for every request; it runs on each, so it stores no more than this. */
  static noteRequest({ socket }: IncomingMessage, atMs: number): void {
    (socket as Watched)[lastRequestAtMs] = atMs;
  }

  /** Closes connections that have sent nothing. */
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

  /**
   * Closes about one in a hundred at once, so that not every new connection searches. Returns false if all are busy.
   */
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
      // Its slot is free at once; the close event comes later.
      this.#forget(socket);
    }
    this.#reached.note(bound, from, Math.max(1, slowest.length));
    return slowest.length > 0;
  }

  #closeSilent(): void {
    const nowMs = performance.now();
    const { silenceTimeoutMs } = this.#bounds;
    for (const [socket, seen] of this.#seen) {
      // Only the socket's own timer knows whether the client reads a reply in progress.
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

/** Whether a complete request is being answered on it. */
function isAtWork({ _httpMessage: reply }: Watched): boolean {
  return reply !== undefined && reply !== null && (reply.req.complete || reply.headersSent);
}
