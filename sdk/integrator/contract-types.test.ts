import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../../test/harness/test-shop.ts';

/* Types that a generator makes of the contract, without our client: who placed an order, for each kind of key. */

const run = promisify(execFile);
const service = await startTestService();
const folder = mkdtempSync(join(tmpdir(), 'contract-types-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const program = `
  import type { components, operations } from './v1.d.ts';
  type Reply = operations['placeOrder']['responses'][201]['content']['application/json'];
  type Vouched = components['schemas']['VouchedCreatedOrder'];
  declare function place<Data = Reply['data']>(): Promise<{ data: Data }>;
  export async function byVouchedKey(): Promise<number> {
    const { data: order } = await place<Vouched>();
    const total: number = order.customerGrandTotal;
    return order.customer.id + order.customer.fullName.length + total;
  }
  export async function byAnyKey(): Promise<number | null> {
    const { data: order } = await place();
    // @ts-expect-error: a key that proves nothing is not told who the customer is
    order.customer.id;
    return order.customer?.id ?? null;
  }
  // The narrower type is a case of the reply, so that a reply can be read as it.
  export const asReply = (order: Vouched): Reply['data'] => order;
  export const asVouched = (reply: Reply['data']): Vouched => reply as Vouched;
`;

test('types of the contract let a client of a vouched key use order.customer.id, and no other client', async () => {
  const sdk = join(projectFolder(), 'sdk', 'node_modules');
  const contract = join(projectFolder(), 'contract', 'v1.json');
  await run(process.execPath, [
    ...[join(sdk, 'openapi-typescript', 'bin', 'cli.js'), contract],
    ...['-o', join(folder, 'v1.d.ts')],
  ]);
  writeFileSync(join(folder, 'client.ts'), program);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions'];
  await run(process.execPath, [join(sdk, 'typescript', 'bin', 'tsc'), ...options, 'client.ts'], {
    cwd: folder,
  }).catch(({ stdout }) => expect.fail(stdout));
}, 60_000);

test('a vouched key is answered as its types say, and a proven one without the customer', async () => {
  const shop = await createTestShop(service.context);
  const made = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
    permissions: ['create-orders'],
    vouches: false,
  });
  const place = (keys: typeof made.keys) => {
    const customer = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
    return service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop, { customer }) });
  };
  const named = { id: expect.any(Number), fullName: 'Marisol Okafor' };
  expect((await place(shop.keys as typeof made.keys)).data.customer).toEqual(named);
  expect((await place(made.keys)).data.customer).toBeNull();
});
