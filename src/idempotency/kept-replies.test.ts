import { afterAll, expect, test } from 'vitest';
import { createTestShop } from '../../test/harness/test-shop.ts';
import { startTestService } from '../../test/harness/test-service.ts';

const service = await startTestService();
afterAll(() => service.close());

test('a credit sent twice with one key is one credit', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const { data: customer } = await owner.call('POST', '/staff/v1/customers', { firstName: 'A', lastName: 'B', phone: '+14155550101' });
  const path = `/staff/v1/customers/${customer.id}/credits`;
  const body = { type: 'store-credit', amount: 500, description: 'Sorry' };
  const send = () => service.call('POST', path, { body, headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'k-1' } });
  const replies = [await send(), await send(), ...(await Promise.all([send(), send()]))];
  console.log(replies.map((r) => [r.status, r.text, r.headers['idempotent-replayed']]));
  const { data } = await owner.call('GET', path);
  expect(data.length).toBe(1);
});
