import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { OpenConnections } from './open-connections.ts';
import type { DrainState } from './request-context.ts';

/** A kept-alive connection that is idle this long has no request on its way. */
const silenceMs = 300;
/** Requests still running then are cut, before the operating system kills the process. */
const drainMsMax = 20_000;

/** Closes a server without dropping requests. */
export class Draining implements DrainState {
  isDraining = false;
  #isClosing = false;
  readonly #streams = new Set<() => void>();

  endWithServer(end: () => void): () => void {
    if (this.#isClosing) end();
    else this.#streams.add(end);
    return () => void this.#streams.delete(end);
  }

  /**
   * The server goes on serving, but asks callers to go elsewhere: `/readyz` is 503, every reply has `Connection: close`, and
   * streams and waiting requests end. What comes after this may wait until the server closes: ended at once, its caller would
   * ask again and again.
   */
  announce(): void {
    this.isDraining = true;
    this.#endStreams();
  }

  #endStreams(): void {
    const streams = [...this.#streams];
    this.#streams.clear();
    for (const end of streams) end();
  }

  /**
   * Stops accepting connections, answers every request that has arrived (with `Connection: close`), then closes idle
   * connections. Resolves when the last connection is closed.
   */
  async drain(server: Server, connections: Pick<OpenConnections, 'closeUnused'>): Promise<void> {
    this.isDraining = true;
    this.#isClosing = true;
    this.#endStreams();
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => {
      // Not the close of the HTTP server: that cuts idle connections at once, and a request that is just arriving on
      // one of them would be lost.
      NetServer.prototype.close.call(server, () => resolve());
    });
    const idle = setInterval(() => {
      server.closeIdleConnections();
      // Node counts a connection that has sent nothing, as browsers open them ahead, as one with a request.
      connections.closeUnused();
    }, silenceMs);
    const late = setTimeout(() => server.closeAllConnections(), drainMsMax);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  }
}
