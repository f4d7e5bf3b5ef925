import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-worker.ts';

/** What the bare server sends, whatever it is asked. */
export interface FloorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

let server: Server | undefined;

/** The floor of HTTP rows: `node:http` alone, parsing a JSON body if there is one. Resolves to the port. */
async function serve({ status, headers, body }: FloorReply): Promise<number> {
  server?.close();
  server?.closeAllConnections();
  const bare = createServer((request, response) => {
    const send = (): void => {
      response.writeHead(status, headers);
      response.end(body);
    };
    if (request.method === 'GET') return send();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      send();
    });
  });
  server = bare;
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  return (bare.address() as AddressInfo).port;
}

if (process.send) answerParent(serve);
