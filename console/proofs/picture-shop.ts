import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..');

/** The built program with demo shops in its own folder. */
export interface PictureShop {
  readonly baseUrl: string;
  /** The owner's session token. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts the built program with demo shops in its own folder, and signs in. */
export async function startPictureShop(): Promise<PictureShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-screenshots-'));
  const { DATABASE_URL: _, DATABASE_APP_URL: __, ...rest } = process.env;
  const server = spawn(process.execPath, [join(root, 'dist', 'main.mjs')], {
    cwd: root,
    env: { ...rest, DATA_DIR: dataDir, DEMO: 'on', PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes('Base address')) break;
  server.stdout.resume();
  const { baseUrl, organizations } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const [{ consumerKey, clientKey, staff }] = organizations;
  // Fills the request log, which is written shortly after.
  for (const path of ['organization', 'orders', 'orders/none', 'customers']) {
    const headers = { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
    await fetch(`${baseUrl}/api/v1/${path}`, { headers });
  }
  const signedIn = await fetch(`${baseUrl}/staff/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(staff),
  });
  const { data } = (await signedIn.json()) as { data: { token: string } };
  await openWebhook(baseUrl, { consumerKey, clientKey });
  return { baseUrl, token: data.token, stop };
}

/** An endpoint with a delivery. */
async function openWebhook(
  baseUrl: string,
  { consumerKey, clientKey }: Readonly<Record<'consumerKey' | 'clientKey', string>>,
): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(`${baseUrl}/api/v1/webhook-endpoints${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-consumer-key': consumerKey,
        'x-client-key': clientKey,
      },
      body: JSON.stringify(body),
    });
  const made = await post('', {
    url: 'https://hooks.example.com/dispensary',
    types: ['order.*', 'product.updated'],
  });
  const { data } = (await made.json()) as { data: { id: number } };
  await post(`/${data.id}/test`, {});
}
