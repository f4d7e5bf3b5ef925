import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-worker.ts';

/** The reply of the bare server to every request. */
export interface BaselineReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

let server: Server | undefined;

/** The baseline of HTTP rows: `node:http` alone, parsing a JSON body if there is one. Resolves to the port. */
async function serve({ status, headers, body }: BaselineReply): Promise<number> {
  server?.close();
  server?.closeAllConnections();
  // At module level: the script runner sets the name of a named function again each time the function is created.
  const send = (response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(body);
  };
  const bare = createServer((request, response) => {
    if (request.method === 'GET') return send(response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      send(response);
    });
  });
  server = bare;
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  return (bare.address() as AddressInfo).port;
}

if (process.send) answerParent(serve);
