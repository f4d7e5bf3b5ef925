/**
 * A desk for deliveries: which are under way, who brings them, how far they are. It hears of orders by webhooks and by the
 * change feed, and stores drivers at the service, so console, receipts and reports know them as well.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
// Outside this repository: from '@dispensary-commerce/integrator-sdk'.
import {
  type CommerceClient,
  createClient,
  verifyWebhook,
  WebhookRefused,
} from '../../sdk/integrator/src/commerce-sdk.ts';
import { DeliveryBoard } from './delivery-board.ts';
import { DeskRefused, DispatchDesk, type TaskStep, taskSteps } from './dispatch-desk.ts';
import { dispatchPage, dispatchPagePolicy, dispatchScript, dispatchStyle } from './dispatch-page.ts';
import { type DispatcherSettings, readDispatcherSettings } from './dispatcher-settings.ts';

/** With webhooks the feed is only asked for what a webhook failed to tell. */
const safetySeconds = 60;
/** Without them a request waits at the service, and news arrive within moments. */
const waitSeconds = 20;
const bodyBytesMax = 1_000_000;

export interface Dispatcher {
  readonly address: string;
  readonly board: DeliveryBoard;
  /** The secret of the webhook endpoint; null: there is none. */
  readonly secret: string | null;
  close(): Promise<void>;
}

/** Starts the desk at a port of this machine; 0 takes a free one. */
export async function startDispatcher(settings: DispatcherSettings, port: number): Promise<Dispatcher> {
  const client = createClient(settings);
  const desk = new DispatchDesk(settings);
  const board = new DeliveryBoard(client);
  await board.catchUp();
  const secret =
    settings.publicUrl === null ? null : await webhookSecret(client, `${settings.publicUrl}/webhooks`);

  const server = createServer((request, response) => {
    answer(request, response, { settings, board, desk, secret }).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const ending = new AbortController();
  const following = follow(board, secret !== null, ending.signal);
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    board,
    secret,
    close: async () => {
      ending.abort();
      server.close();
      await following;
    },
  };
}

/** Looks for news until the signal ends it. A service that is away for a while is asked again. */
async function follow(board: DeliveryBoard, hasWebhooks: boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (hasWebhooks) await pause(safetySeconds, signal);
      if (!signal.aborted) await board.catchUp(hasWebhooks ? 0 : waitSeconds, signal);
    } catch (error) {
      if (signal.aborted) return;
      console.error(`The service cannot be asked: ${error instanceof Error ? error.message : error}`);
      await pause(5, signal);
    }
  }
}

/** Waits, or less: until the signal. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * The secret of the endpoint at this address. A secret is shown only when it is made: an endpoint of an earlier run gets a
 * new one, and for a day the service signs with both.
 */
async function webhookSecret(client: CommerceClient, url: string): Promise<string> {
  const { data: endpoints } = await client.call('listWebhookEndpoints');
  const known = endpoints.find((endpoint) => endpoint.url === url);
  if (known === undefined) {
    const body = { url, types: ['order.*'] };
    return (await client.call('createWebhookEndpoint', { body })).data.secret;
  }
  return (await client.call('rotateWebhookSecret', { params: { webhookEndpointId: known.id } })).data.secret;
}

interface Desk {
  readonly settings: DispatcherSettings;
  readonly board: DeliveryBoard;
  readonly desk: DispatchDesk;
  readonly secret: string | null;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Desk): Promise<void> {
  const { board, settings } = parts;
  const [path = '/'] = (request.url ?? '/').split('?', 1);
  const page = (status: number, problem: string | null = null) =>
    send(
      response,
      status,
      'text/html; charset=utf-8',
      dispatchPage(board.deliveries, settings.drivers, problem),
    );
  if (request.method === 'GET' && path === '/') return page(200);
  if (request.method === 'GET' && path === '/dispatch.css')
    return send(response, 200, 'text/css', dispatchStyle);
  if (request.method === 'GET' && path === '/dispatch.mjs')
    return send(response, 200, 'text/javascript', dispatchScript);
  if (request.method === 'GET' && path === '/deliveries') {
    return send(response, 200, 'application/json', JSON.stringify(board.deliveries));
  }
  if (request.method !== 'POST') return send(response, 404, 'text/plain', 'Not found');
  const body = await bodyOf(request);
  if (body === null) return send(response, 413, 'text/plain', 'Too large');
  if (path === '/webhooks') return receive(request, response, body, parts);
  const orderId = /^\/deliveries\/([\w-]+)$/.exec(path)?.[1];
  if (orderId === undefined) return send(response, 404, 'text/plain', 'Not found');
  // A form of another site must not send drivers around.
  const { origin, host } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return send(response, 403, 'text/plain', 'Not from here');
  return assign(response, orderId, new URLSearchParams(String(body)), parts, page);
}

/** A genuine webhook says that it is time to look; what it says of the order may be older than the next one. */
async function receive(
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  { board, secret }: Desk,
): Promise<void> {
  try {
    await verifyWebhook({ body, headers, secrets: secret ?? [] });
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    return send(response, 400, 'text/plain', error.message);
  }
  // Answered at once: what takes longer than 15 seconds is sent again. A look that fails is made up for by the next one.
  send(response, 204, 'text/plain', '');
  await board.catchUp();
}

async function assign(
  response: ServerResponse,
  orderId: string,
  form: URLSearchParams,
  { board, desk }: Desk,
  page: (status: number, problem: string) => void,
): Promise<void> {
  const [status, driver] = [form.get('status') as TaskStep, form.get('driver')?.trim() || null];
  if (!taskSteps.includes(status)) return page(400, 'Choose a step of the delivery.');
  try {
    // A driver without a step means: assigned.
    await desk.dispatch(orderId, driver !== null && status === 'unassigned' ? 'assigned' : status, driver);
  } catch (error) {
    if (error instanceof DeskRefused) return page(422, error.message);
    throw error;
  }
  await board.catchUp();
  response.writeHead(303, { location: '/' }).end();
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-security-policy': dispatchPagePolicy,
      'cache-control': 'no-store',
    })
    .end(text);
}

/** The body; null if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteCount += chunk.length;
    if (byteCount > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 4100);
  try {
    const { address, secret } = await startDispatcher(readDispatcherSettings(), port);
    console.log(
      `The dispatch desk is open: ${address}${secret === null ? ' (without webhooks: PUBLIC_URL is not set)' : ''}`,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    console.error(
      code === 'EADDRINUSE' ? `Another program uses port ${port}. Set PORT to a free one.` : message,
    );
    process.exit(1);
  }
}
