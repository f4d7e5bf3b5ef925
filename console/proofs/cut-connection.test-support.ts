import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A connection to a service that can be cut and mended: browsers reach it at `baseUrl` meanwhile. */
export class CutConnection {
  readonly baseUrl: string;
  readonly #port: number;
  readonly #target: number;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number, target: number) {
    this.#port = port;
    this.#target = target;
    this.baseUrl = `http://127.0.0.1:${port}`;
  }

  static async before(serviceUrl: string): Promise<CutConnection> {
    // A port that is free; the way itself keeps it from then on.
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const way = new CutConnection(port, Number(new URL(serviceUrl).port));
    await way.mend();
    return way;
  }

  async mend(): Promise<void> {
    const server = createServer((incoming) => {
      const outgoing = connect(this.#target, '127.0.0.1');
      for (const socket of [incoming, outgoing]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
      }
      incoming.on('error', () => outgoing.destroy());
      outgoing.on('error', () => incoming.destroy());
      incoming.pipe(outgoing).pipe(incoming);
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  /** Open connections end, and new ones are refused. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, 'close');
  }
}
