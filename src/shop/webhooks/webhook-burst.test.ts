import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { announceProducts, placesByProduct, Receiver, testWorker } from './webhooks.test-support.ts';

/** Many endpoints at once, of which one hangs and one fails (D66). */
const service = await startOwnTestService();
const receivers: Receiver[] = [];
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.close();
});

const productCount = 20;
/** One event after the other. */
const singles = 9;
/** Events of one transaction. */
const burst = casesOf({ everyRun: 40, long: 300 });
/** Attempts of an endpoint at the same time. */
const atOnce = 8;
/** By far more than the sending needs; receivers and worker share this process, and on a loaded machine both take long. */
const burstMsMax = casesOf({ everyRun: 20_000, long: 60_000 });

test('of 20 endpoints one hangs and one fails: each of the others gets each event within a second, in order for each resource', async () => {
  const { organizationId, keys } = await createTestShop(service.context);
  const all = await Promise.all(Array.from({ length: 20 }, () => Receiver.start()));
  receivers.push(...all);
  const [hanging, failing, ...others] = all;
  hanging!.answer = () => {};
  failing!.answer = (_, response) => void response.writeHead(500).end('out of order');
  for (const { url } of all) {
    const body = { url, types: ['product.updated'] };
    await service.call('POST', '/api/v1/webhook-endpoints', { keys, body });
  }
  const worker = testWorker(service, { attemptMsMax: 120_000 }).start();
  const productIds = Array.from({ length: singles + burst }, (_, at) => 1 + (at % productCount));
  const tookMs: number[] = [];
  for (let at = 0; at < singles; at += 1) {
    const startedMs = performance.now();
    await announceProducts(service, organizationId, productIds.slice(at, at + 1), at);
    await Promise.all(others.map((receiver) => receiver.count(at + 1)));
    tookMs.push(performance.now() - startedMs);
  }
  // The middle one: a machine that stands still for a moment says nothing about endpoints.
  expect(tookMs.toSorted((one, other) => one - other)[Math.floor(singles / 2)]).toBeLessThan(1_000);
  // Nothing is answered until each of them has as many requests under way as it may: none waits for another.
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => void response.writeHead(204).end();
  const release = () => {
    for (const receiver of others) receiver.answer = (_, response) => answer(response);
    held.forEach(answer);
  };
  for (const receiver of others) {
    receiver.answer = (_, response) => {
      if (held.push(response) === others.length * atOnce) release();
    };
  }
  const startedMs = performance.now();
  await announceProducts(service, organizationId, productIds.slice(singles), singles);
  await Promise.all(others.map((receiver) => receiver.count(productIds.length)));
  expect(performance.now() - startedMs).toBeLessThan(burstMsMax);
  // Its further events are sent once the first has been silent for a second.
  await hanging!.count(atOnce);
  await worker.stop();
  const inOrder: Record<string, number[]> = {};
  for (const [at, id] of productIds.entries()) inOrder[id] = [...(inOrder[id] ?? []), at];
  for (const receiver of others) {
    expect(receiver.received).toHaveLength(productIds.length);
    expect(placesByProduct(receiver.received)).toEqual(inOrder);
  }
  // The first of each resource has failed.
  expect(hanging!.received).toHaveLength(atOnce);
  for (const [id, places] of Object.entries(placesByProduct(failing!.received))) {
    expect(new Set(places)).toEqual(new Set(inOrder[id]!.slice(0, 1)));
  }
}, 120_000);
