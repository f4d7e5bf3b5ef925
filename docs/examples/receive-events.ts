/**
 * Receives the events of a webhook endpoint: verifies each, skips repetitions and prints what happened.
 * Run: WEBHOOK_SECRET=whsec_… PORT=3000 npx tsx docs/examples/receive-events.ts
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const { WEBHOOK_SECRET, PORT = '3000' } = process.env;
const key = Buffer.from(WEBHOOK_SECRET!.replace('whsec_', ''), 'base64');
const toleranceSeconds = 300;

/** In a real receiver this is a unique column in the database, written together with what the event causes. */
const seen = new Set<string>();

function isGenuine({ headers }: IncomingMessage, body: Buffer): boolean {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const signed = `${id}.${timestamp}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  // Two signatures, separated by a space, while the secret is rotated.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected));
}

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isGenuine(request, body)) {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return;
  seen.add(id);
  const { type, data } = JSON.parse(String(body));
  console.log(`${type} ${JSON.stringify(data.resource ?? data)}`);
});
server.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  console.error(
    code === 'EADDRINUSE' ? `Another program uses port ${PORT}. Set PORT to a free one.` : message,
  );
  process.exitCode = 1;
});
server.listen(Number(PORT), () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Waiting for events at port ${port}`);
});
