import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Seen {
  bytes: number;
  atMs: number;
}

/**
 * The connections of a server; those on which nothing moves for too long are closed, whether a request was answered on
 * them or is waited for, or a reply is not taken. All are looked at now and then: a timer of each, as Node has them, is
 * set twice by every request.
 */
export class OpenConnections {
  readonly #seen = new Map<Socket, Seen>();
  readonly #silenceTimeoutMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor(bounds: { readonly silenceTimeoutMs: number; readonly checkPeriodMs: number }) {
    this.#silenceTimeoutMs = bounds.silenceTimeoutMs;
    this.#timer = setInterval(() => this.#closeSilent(), bounds.checkPeriodMs);
    this.#timer.unref();
  }

  /** To be told of a server before it listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#seen.set(socket, { bytes: 0, atMs: performance.now() });
      socket.once('close', () => this.#seen.delete(socket));
    });
  }

  /** Closes those that have sent nothing yet. */
  closeUnused(): void {
    for (const socket of this.#seen.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #closeSilent(): void {
    const nowMs = performance.now();
    for (const [socket, seen] of this.#seen) {
      // Of a reply that is on its way only the socket's own timer knows whether some of it was taken.
      const timeoutMs = socket.writableLength > 0 ? this.#silenceTimeoutMs : 0;
      if ((socket.timeout ?? 0) !== timeoutMs) socket.setTimeout(timeoutMs);
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (timeoutMs > 0 || bytes !== seen.bytes) {
        seen.bytes = bytes;
        seen.atMs = nowMs;
      } else if (nowMs - seen.atMs >= this.#silenceTimeoutMs) {
        socket.destroy();
      }
    }
  }
}
