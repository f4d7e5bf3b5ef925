import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { checksummedCollections } from '../../app/app.ts';
import { concerns } from '../../kernel/concerns.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { registerConcernMetrics } from '../startup/database-metrics.ts';
import { openTradedShop, withoutTriggers } from './damaged-shop.test-support.ts';
import { startVerifyingLatest } from './verification.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

/** Looks once, as a start after a crash does; resolves to the lines of the log. */
async function look(organizations: readonly { readonly id: number }[]) {
  const { context, documentFiles, photoBlobs, database } = service;
  const logged: { readonly message: string; readonly fields: object }[] = [];
  const log = (fields: object, message: string) => void logged.push({ fields, message });
  await startVerifyingLatest(
    {
      ...{ context, serving: database.serving, collections: checksummedCollections },
      files: { documents: documentFiles, photos: photoBlobs, documentNames: null },
    },
    async () => organizations,
    { info: log, error: log },
  ).done;
  return logged;
}

test('damage that a crash left is told in log, /readyz, metrics and warnings, and the shop goes on; whole data ends that', async () => {
  const { shop, orders } = await openTradedShop(service, 2);
  const organizations = [{ id: shop.organizationId }];
  const owner = await service.staff(shop);
  const metrics = createMetrics();
  registerConcernMetrics(metrics.registry);
  const told = async () => ({
    ready: (await service.call('GET', '/readyz')).data,
    metrics: await metrics.registry.getSingleMetricAsString('deployment_concerns'),
    warnings: (await owner.call('GET', '/staff/v1/organization')).data.warnings,
  });

  expect(await look(organizations)).toEqual([
    {
      message: 'the latest data was verified after a crash',
      fields: { isWhole: true, findings: 0, skipped: [] },
    },
  ]);
  expect((await told()).ready).toEqual({ status: 'ready' });

  const [{ id, number }] = orders as [(typeof orders)[0]];
  const setTotal = (change: string) =>
    withoutTriggers(service, async (run) => {
      await run(`update orders set total_price_cents = total_price_cents ${change} where id = $1`, id);
    });
  await setTotal('+ 1');
  const logged = await look(organizations);
  expect(logged[0]!.message).toContain(`order number ${number}, orders ${id}: total_price_cents is`);
  const { words } = concerns;
  expect(words).toEqual([expect.stringContaining('dispensary verify names all of it')]);
  const after = await told();
  expect(after.ready).toEqual({ status: 'ready', concerns: words });
  expect(after.metrics).toContain('deployment_concerns{concern="verification"} 1');
  expect(after.warnings).toContain(words[0]);

  await setTotal('- 1');
  await look(organizations);
  expect((await told()).ready).toEqual({ status: 'ready' });
});
