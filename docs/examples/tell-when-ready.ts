/**
 * Tells when orders are ready: receives webhooks, checks their signature, and asks for the status. Ends when each order is
 * packed, or will not be. Run:
 * DISPENSARY_URL=… DISPENSARY_CONSUMER_KEY=… DISPENSARY_CLIENT_KEY=… PORT=9000 PUBLIC_URL=https://hooks.example.com/orders \
 *   npx tsx docs/examples/tell-when-ready.ts <order id> …
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';

const { DISPENSARY_URL, DISPENSARY_CONSUMER_KEY, DISPENSARY_CLIENT_KEY, PORT, PUBLIC_URL } = process.env;
const waitingFor = new Set(process.argv.slice(2));
const client = createClient({
  baseUrl: DISPENSARY_URL!,
  consumerKey: DISPENSARY_CONSUMER_KEY!,
  clientKey: DISPENSARY_CLIENT_KEY!,
});

let secret = Buffer.alloc(0);
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  // Answered at once: a receiver that takes 15 seconds is sent the message again.
  response.writeHead(204).end();
  const { data } = JSON.parse(body);
  return look([data.resource.id]);
});
server.listen(Number(PORT ?? 0));
await new Promise((resolve) => server.once('listening', resolve));
const url = PUBLIC_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const types = ['order.packed', 'order.fulfilled', 'order.canceled'];
const { data: endpoint } = await client.send<{ id: number; secret: string }>(
  'POST',
  '/api/v1/webhook-endpoints',
  { body: { url, types } },
);
// Shown only this time.
secret = Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64');
// What happened before there was an endpoint.
await look([...waitingFor]);
if (waitingFor.size > 0) console.log(`Waiting for ${waitingFor.size}`);

/** The message has a signature under our secret, and is not an old one that is played again. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
  // While the secret rotates there are two.
  return signatures!.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Asks for the truth: a message can come twice, or after the next one of its order. */
async function look(ids: readonly string[]): Promise<void> {
  const query = { ids: ids.filter((id) => waitingFor.has(id)).join() };
  if (query.ids === '') return;
  const { data } = await client.get<{ id: string; status: string }[]>('/api/v1/orders/statuses', { query });
  for (const { id, status } of data) {
    if (status === 'draft' || status === 'new' || !waitingFor.delete(id)) continue;
    console.log(`${id} is ${status === 'packed' ? 'ready' : status}`);
  }
  if (waitingFor.size > 0) return;
  await client.send('DELETE', `/api/v1/webhook-endpoints/${endpoint.id}`);
  server.close();
}
