import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { importCustomerRows, readCustomerRow } from '../../src/shop/customers/customers.ts';
import { importFormerSales, readFormerSale } from '../../src/shop/former-sales/former-sales.ts';
import { testOrigin } from './test-shop.ts';

/** A customer of another till, with a sale there. */
export async function moveIn(context: Context, organization: OrganizationId): Promise<void> {
  const customer = readCustomerRow({
    firstName: 'Imani',
    lastName: 'Brandt',
    formerId: '4101',
    points: '12',
  });
  await importCustomerRows(context, testOrigin, organization, [customer], { isTrial: false });
  const options = [{ productName: 'Sample Kush', quantity: '1', net: 3500 }];
  const sale = readFormerSale({ number: 'TX0001', soldAt: '2026-01-20', customerId: '4101', options });
  await importFormerSales(context, testOrigin, organization, [sale], { isTrial: false });
}
