import { afterAll, expect, test } from 'vitest';
import { comparableProducts } from '../../../test/harness/comparable-products.ts';
import { dyingAt } from '../../../test/harness/dying-context.ts';
import { runMenuJobs } from '../../../test/harness/run-menu-jobs.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { Context } from '../../platform/database/context.ts';
import { SilentRuns } from './imports.ts';

/* Imports whose process dies. */

const service = await startTestService();
afterAll(() => service.close());
const { context } = service;

const header = 'name,category,unit,strainType,amount,price,content';
/** More than one part; every third one differs between the two files, some are refused. */
const rowsOf = (dollars: number) =>
  Array.from({ length: 250 }, (_, at) => {
    if (at % 97 === 5) return `Refused ${at},Nowhere,item,none,1,$1,`;
    return `Product ${at},Flower,gram,hybrid,1,$${at % 40 === 0 ? dollars : 10},1`;
  });

/** What another process does when the one that had the run has died. */
async function endRunsOfTheDead(shop: TestShop): Promise<void> {
  const silentRuns = new SilentRuns(context, 0);
  for (let look = 0; look < 2; look++) await silentRuns.look(shop.organizationId);
}

/** Imports a file; a run that has failed because its process died is started again. Resolves to the run's fate, too. */
async function importRows(shop: TestShop, rows: readonly string[], context_: Context) {
  const staff = await service.staff(shop);
  const { data } = await staff.call(
    'POST',
    '/staff/v1/menu-imports?fileName=menu.csv',
    Buffer.from([header, ...rows].join('\n')),
    { headers: { 'content-type': 'application/octet-stream' } },
  );
  const path = `/staff/v1/menu-imports/${data.id}`;
  await staff.call('POST', `${path}/runs`, { mode: 'change', dryRun: false });
  await runMenuJobs({ context: context_ }, shop.organizationId).catch((error: Error) => {
    if (error.message !== 'the process is gone') throw error;
  });
  await endRunsOfTheDead(shop);
  const ended = (await staff.call('GET', path)).data;
  if (context_ !== context) {
    expect(ended).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/^The service ended in the middle of this run/),
    });
    await staff.call('POST', `${path}/runs`, { mode: 'change', dryRun: false });
    await runMenuJobs(service, shop.organizationId);
  }
  const { status, products, created, changed, refused } = (await staff.call('GET', path)).data;
  const { problems } = (await staff.call('GET', `${path}/problems`)).data;
  return { counts: { status, products, created, changed, refused }, problems: problems.length };
}

const whole = await createTestShop(context, { products: [] });
const first = await importRows(whole, rowsOf(20), context);
const second = await importRows(whole, rowsOf(30), context);
const expected = await comparableProducts(service, whole);

test.each([2, 3, 5])(
  'an import whose process dies at write %i fails with the reason, and run again counts and refuses what one without it does',
  async (write) => {
    const shop = await createTestShop(context, { products: [] });
    expect(await importRows(shop, rowsOf(20), dyingAt(context, write))).toEqual(first);
    expect(await importRows(shop, rowsOf(30), dyingAt(context, write))).toEqual(second);
    expect(await comparableProducts(service, shop)).toEqual(expected);
  },
);

test('the imports above do all that an import can', () => {
  expect(first).toEqual({
    counts: { status: 'done', products: 250, created: 247, changed: 0, refused: 3 },
    problems: 3,
  });
  expect(second.counts).toMatchObject({ created: 0, changed: 7, refused: 3 });
});
