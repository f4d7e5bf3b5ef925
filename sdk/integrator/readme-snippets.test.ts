import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, test, vi } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { signedHeaders } from '../../src/shop/webhooks/webhook-secrets.ts';
import { mailedCode } from '../../test/harness/test-mails.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestKeys, createTestShop } from '../../test/harness/test-shop.ts';
import { openWitness } from '../../test/harness/witness.ts';
import { readmeProgram } from './readme-program.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
const service = await startTestService();
const witness = await openWitness(service.database);
const { baseUrl } = await service.listen();
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await witness.end();
  await service.close();
});

interface Snippets {
  signIn(email: string, askForCode: () => Promise<string>): Promise<string>;
  receive(request: Request): Promise<Response>;
}

/** Runs the snippets; resolves to what they print and what they export. */
async function runSnippets(): Promise<{ readonly printed: string[]; readonly snippets: Snippets }> {
  const source = join(folder, 'snippets.ts');
  writeFileSync(source, readmeProgram());
  const outfile = join(folder, 'snippets.mjs');
  const sdk = join(projectFolder(), 'sdk', 'integrator', 'src', 'commerce-sdk.ts');
  await build({
    ...{ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19' },
    alias: { '@dispensary-commerce/integrator-sdk': sdk },
  });
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  return { printed, snippets: await import(pathToFileURL(outfile).href) };
}

test('the snippets of the README run, one after the other, and do what they say', async () => {
  const shop = await createTestShop(service.context);
  const origins = ['https://shop.example'];
  const settings = { permissions: ['menu', 'create-orders'], origins } as const;
  const page = await createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
  const secret = Buffer.from('a secret of twenty-four!');
  const environment = {
    ...{ DISPENSARY_URL: baseUrl, CONSUMER_KEY: shop.keys.consumerKey!, CLIENT_KEY: shop.keys.clientKey! },
    ...{ PUBLISHABLE_KEY: page.keys.clientKey!, WEBHOOK_SECRET: `whsec_${secret.toString('base64')}` },
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // Browsers send the origin of the page.
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, origin: origins[0]! } }),
  );

  const { printed, snippets } = await runSnippets();
  expect(printed).toEqual([
    expect.stringMatching(/^Test Shop offers \w+/),
    expect.stringMatching(/: \d+ cents$/),
    expect.stringMatching(/^placed [0-9a-f-]{36} for (\d+) of \1, again: false$/),
    expect.stringMatching(/\(ORDER_NOT_FOUND, request [0-9a-f-]{36}\)$/),
  ]);

  const email = 'ada@customers.example.com';
  const token = await snippets.signIn(email, async () => {
    return mailedCode(service.context, shop.organizationId, email);
  });
  expect(token).toMatch(/^dcu_live_/);

  const body = JSON.stringify({ type: 'order.placed', data: { resource: { type: 'order', id: '7' } } });
  const headers = signedHeaders([secret], 'msg_1', Date.now(), body);
  const receive = (text: string) =>
    snippets.receive(new Request('https://crm.example.com', { method: 'POST', headers, body: text }));
  expect((await receive(body)).status).toBe(204);
  expect(printed.at(-1)).toBe('msg_1: order.placed of order 7');
  const refused = await receive(body.replace('7', '8'));
  expect([refused.status, await refused.text()]).toEqual([400, 'WRONG_SIGNATURE']);
  expect(service.faults).toEqual([]);
});
