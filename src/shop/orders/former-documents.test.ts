import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepOrder } from './orders.ts';

/* Orders from before documents were made on reading: their rows hold a whole document, and their steps as JSON. */

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

async function detail(shop: TestShop, id: string): Promise<TestReply['data']> {
  const query = { explain: true };
  return (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys, query })).data;
}

/** An order as the program kept it before; null steps: older than explanations. */
async function formerOrder(shop: TestShop, hasSteps: boolean): Promise<TestReply['data']> {
  const { data } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop),
  });
  const shown = await detail(shop, data.id);
  const { updatedAt: _, customer: __, explanation, ...document } = shown;
  const { database } = service.context;
  await tenantSql(
    database,
    shop.organizationId,
    'update orders set document = $2 where id = $1',
    data.id,
    JSON.stringify(document),
  );
  await tenantSql(
    database,
    shop.organizationId,
    hasSteps
      ? 'update order_explanations set shown_rows = null, steps = $2 where order_id = $1'
      : 'delete from order_explanations where order_id = $1 and $2::text is not null',
    data.id,
    JSON.stringify(explanation),
  );
  return hasSteps ? shown : { ...shown, explanation: undefined };
}

test.each([true, false])(
  'an order from before is read as it was, and as it is after a step (steps: %s)',
  async (hasSteps) => {
    const shop = await createTestShop(service.context);
    const former = await formerOrder(shop, hasSteps);
    const { explanation, ...listed } = former;
    const list = async () => (await service.call('GET', '/api/v1/orders', { keys: shop.keys })).data;
    expect(await detail(shop, former.id)).toEqual(hasSteps ? former : listed);
    expect(await list()).toEqual([listed]);

    service.clock.advance(1000);
    await stepOrder(service.context, testOrigin, shop.organizationId, former.id, 'accept', { staff: null });
    const now = await detail(shop, former.id);
    const { status: _, updatedAt: __, lineItems: ___, ...same } = listed;
    expect(now).toMatchObject({ ...same, status: 'new' });
    expect(now.lineItems.some((line: { fulfillAs: unknown[] }) => line.fulfillAs.length > 0)).toBe(true);
    expect(now.explanation).toEqual(explanation);
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  },
);
