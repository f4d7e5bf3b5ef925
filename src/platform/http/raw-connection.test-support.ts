import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createToyServer, goodKeys, type ToyOptions } from './toy-server.test-support.ts';

/** A raw connection that sends given bytes and parses replies. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #isEnded = false;
  #wake: () => void = () => {};

  constructor(socket: Socket, turnsBetweenReads = 0) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', async (text: string) => {
      this.#received += text;
      this.#wake();
      if (turnsBetweenReads === 0) return;
      socket.pause();
      for (let turns = 0; turns < turnsBetweenReads; turns++) await nextTurn();
      socket.resume();
    });
    socket.on('close', () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The next complete reply, or undefined when the server ended the connection before it. */
  async next(): Promise<{ status: number; head: string; body: string } | undefined> {
    for (;;) {
      const headEnd = this.#received.indexOf('\r\n\r\n');
      if (headEnd >= 0) {
        const head = this.#received.slice(0, headEnd);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        const end = headEnd + 4 + length;
        if (this.#received.length >= end) {
          const body = this.#received.slice(headEnd + 4, end);
          this.#received = this.#received.slice(end);
          return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body };
        }
      }
      if (this.#isEnded) return undefined;
      await this.#change();
    }
  }

  async ended(): Promise<void> {
    while (!this.#isEnded) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A loopback server of the toy endpoints, and connections to it. */
export async function listening(options: ToyOptions = {}) {
  const server = createToyServer(options);
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return {
    server,
    /** From any address of the loopback, where the system has more than one. */
    open: async ({ allowHalfOpen = false, turnsBetweenReads = 0, localAddress = '127.0.0.1' } = {}) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen, localAddress });
      await once(socket, 'connect');
      const connection = new Connection(socket, turnsBetweenReads);
      onTestFinished(() => connection.destroy());
      return connection;
    },
  };
}

export const keys = Object.entries(goodKeys).map(([name, value]) => `${name}: ${value}\r\n`);
export const head = (line: string, ...headers: string[]) =>
  `${line} HTTP/1.1\r\nHost: a\r\n${headers.join('')}\r\n`;
export const getToy = head('GET /api/v1/toys/7', ...keys);
export const postToy = (...headers: string[]) =>
  head('POST /api/v1/toys', ...keys, 'Content-Type: application/json\r\n', ...headers);
export const codeOf = (answer: { body: string } | undefined) => JSON.parse(answer!.body).error.code;
