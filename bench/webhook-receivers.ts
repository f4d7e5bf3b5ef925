import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-worker.ts';

/** Opens receivers, of which the first is silent and the second fails; or waits until each of the others got so many more. */
export type ReceiverRequest = { readonly open: number } | { readonly count: number };

/** The ports; or when the last of the awaited requests came, as `Date.now()`. */
export type ReceiverReply = { readonly ports: readonly number[] } | { readonly lastAtMs: number };

const servers: Server[] = [];
const received: number[] = [];
let told = (): void => {};

async function open(index: number): Promise<number> {
  received[index] = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received[index]! += 1;
      if (index > 0) response.writeHead(index === 1 ? 500 : 204).end();
      told();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function answer(request: ReceiverRequest): Promise<ReceiverReply> {
  if ('open' in request) {
    return { ports: await Promise.all(Array.from({ length: request.open }, (_, index) => open(index))) };
  }
  const wanted = received.map((count) => count + request.count);
  await new Promise<void>((resolve) => {
    told = () => {
      if (wanted.every((count, index) => index < 2 || received[index]! >= count)) resolve();
    };
  });
  return { lastAtMs: Date.now() };
}

if (process.send) answerParent(answer);
