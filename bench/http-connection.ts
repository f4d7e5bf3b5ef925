import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Status line and headers, as sent. */
  readonly head: string;
  readonly body: readonly Buffer[];
}

/**
 * A kept-alive connection that sends prepared bytes and reads only the length of the reply. A full client would use
 * more of two cores than the measured server. Supports Content-Length only.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #begun: Buffer | null = null;
  #head = '';
  #body: Buffer[] = [];
  #missingBytes = 0;
  #resolve: (reply: RawReply) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('the server closed the connection')));
  }

  /** `localAddress`: another address of this machine, where one may not have so many connections. */
  static async open(port: number, localAddress?: string): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends one request and resolves to its reply; one at a time. */
  exchange(request: Uint8Array): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#missingBytes > 0) {
      this.#keep(chunk);
      return;
    }
    const begun = this.#begun === null ? chunk : Buffer.concat([this.#begun, chunk]);
    const headLength = begun.indexOf('\r\n\r\n') + 4;
    if (headLength < 4) {
      this.#begun = begun;
      return;
    }
    this.#begun = null;
    this.#head = begun.toString('latin1', 0, headLength);
    this.#missingBytes = Number(/\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0);
    this.#keep(begun.subarray(headLength));
  }

  #keep(part: Buffer): void {
    this.#missingBytes -= part.length;
    this.#body.push(part);
    if (this.#missingBytes > 0) return;
    const reply = { status: Number(this.#head.slice(9, 12)), head: this.#head, body: this.#body };
    this.#body = [];
    this.#resolve(reply);
  }
}
