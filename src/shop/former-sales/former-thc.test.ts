import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { importFormerSales } from './import-former-sales.ts';

const service = await startTestService();
afterAll(() => service.close());

const ada = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };

test('where a limit counts THC, that of sales at a former till counts, without what came back', async () => {
  const rosin = { key: 'rosin', priceCents: 4000, content: '1000' };
  const shop = await createTestShop(service.context, {
    state: 'MD',
    taxes: [],
    categories: { Extracts: 'concentrated' },
    products: [{ key: 'Rosin', category: 'Extracts', inventoryType: 'none', options: [rosin] }],
  });
  const owner = await service.staff(shop);
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  await sql(`update product_options set thc_percent = 80 where id = ${shop.optionId('rosin')}`);
  expect((await owner.call('POST', '/staff/v1/customers', ada)).status).toBe(201);
  await sql(`update customers set medical_expiration = '2030-01-01'`);
  const soldAt = isoTimestamp(service.clock.now() - 5 * 86_400_000);
  const sale = (number: string, quantity: string, changes: object = {}) => ({
    ...{ till: 'corner', number, soldAt, customerEmail: ada.email, ...changes },
    options: [{ productName: 'Rosin', quantity, net: 4000 }],
  });
  const rows = [sale('1', '10'), sale('2', '-1', { refundOf: '1' })];
  const outcomes = await importFormerSales(service.context, testOrigin, shop.organizationId, rows, {
    isTrial: false,
  });
  expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'created']);
  const { data } = await owner.call('POST', '/staff/v1/orders/pricing', {
    ...{ type: 'in-store', customer: ada },
    lineItems: [{ productOptionId: shop.optionId('rosin'), quantity: 1 }],
  });
  // 9 units and one more of 0.8 g of THC are 8 g: 36 g count as 120 g.
  expect(data.purchaseLimits).toMatchObject([{ name: 'All forms together', used: '26.666667' }]);
});
