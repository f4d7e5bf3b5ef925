import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '../../seed/seeded-random.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import {
  announceProducts,
  firstArrivals,
  Receiver,
  testWorker,
} from '../../src/shop/webhooks/webhooks.test-support.ts';
import { casesOf } from '../harness/long-suite.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';
import type { WebhookProcessSettings } from './webhook-process.ts';

/** Worker processes are killed (SIGKILL) while they send; whatever the moment, the next one loses nothing (D66). */
const masterKey = randomBytes(32);
const service = await startOwnTestService({ documentMasterKeys: [masterKey] });
const { call, clock, context } = service;
const receivers = await Promise.all(Array.from({ length: 3 }, () => Receiver.start()));
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.close();
});

const eventsPerRound = 12;
const rounds = casesOf({ everyRun: 1, long: 40 });

async function buildProgram(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: projectFolder(),
    entryPoints: ['test/webhooks/webhook-process.ts'],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  return outputFiles[0]!.text;
}

test('each event arrives at each endpoint, in order for each resource, whenever the sending process is killed', async () => {
  const program = await buildProgram();
  const random = seededRandom('kills of webhooks');
  const { organizationId, keys } = await createTestShop(context);
  for (const { url } of receivers) {
    const body = { url, types: ['product.updated'] };
    expect((await call('POST', '/api/v1/webhook-endpoints', { keys, body })).status).toBe(201);
  }
  const expected: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    const productIds = Array.from({ length: eventsPerRound }, () => random.integer(1, 4));
    const first = round * eventsPerRound;
    for (const [at, id] of productIds.entries()) expected[id] = [...(expected[id] ?? []), first + at];
    await announceProducts(service, organizationId, productIds, first);
    const settings: WebhookProcessSettings = {
      connection: service.database.serving,
      masterKey: masterKey.toString('hex'),
      nowMs: clock.now(),
    };
    const sending = spawn(process.execPath, ['--input-type=module', '-'], {
      cwd: projectFolder(),
      env: { PATH: process.env.PATH, WEBHOOK_SETTINGS: JSON.stringify(settings) },
    });
    sending.stdin.end(program);
    const said: string[] = [];
    for (const stream of [sending.stdout, sending.stderr])
      stream.on('data', (text) => said.push(String(text)));
    const ended = once(sending, 'close');
    const [receiver] = receivers;
    await receiver!.count(receiver!.received.length + random.integer(1, eventsPerRound));
    sending.kill('SIGKILL');
    expect([await ended, said]).toEqual([[null, 'SIGKILL'], []]);
    // Its leases end.
    clock.advance(60_000);
  }
  await testWorker(service).pass(organizationId);
  for (const { received } of receivers) expect(firstArrivals(received)).toEqual(expected);
  expect(service.faults).toEqual([]);
}, 600_000);
