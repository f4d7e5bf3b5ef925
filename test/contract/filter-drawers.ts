import { closeDrawer, openDrawer, registers as registerSetting } from '../../src/shop/registers/registers.ts';
import type { TestService } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import { offlineSaleBody } from './offline-preparations.ts';

/** Sessions of two registers; their last ones are open. */
export async function addDrawers({ context, clock, ...service }: TestService, shop: TestShop): Promise<void> {
  const { organizationId } = shop;
  const staff = await service.staff(shop, 'manager');
  const settings = {
    inventoryLocationId: shop.locationId('Storefront'),
    cashWithoutSession: 'warn',
  } as const;
  const registers = await Promise.all(
    ['Front', 'Back'].map((name) =>
      registerSetting.writes.create(context, testOrigin, organizationId, { ...settings, name }),
    ),
  );
  for (const at of Array.from({ length: 54 }, (_, index) => index)) {
    // Some days have several.
    if (at % 3 === 0) clock.advance(at % 18 === 9 ? 86_400_000 : 1000);
    const { id } = registers[at % 4 === 0 ? 1 : 0]!;
    const opened = { floatCents: at * 100, staffId: staff.staffId };
    const session = await openDrawer(context, testOrigin, organizationId, id, opened);
    if (at > 51) continue;
    const counted = { counts: [{ paymentTypeId: null, countedCents: at * 100 }], note: null };
    await closeDrawer(context, testOrigin, organizationId, session, counted, staff);
  }
  const owner = await service.staff(shop);
  const reviewer = await service.staff(shop, 'manager');
  for (const at of [0, 1, 2, 3]) {
    const { id } = registers[at % 2]!;
    const body = await offlineSaleBody({ ...service, context, clock } as TestService, owner, id, {
      ...{ quantity: [2, 1, 4, 3][at]!, hoursBefore: at + 1 },
    });
    const path = `/staff/v1/registers/${id}/offline-sales`;
    const { data, error } = await owner.call('POST', path, body);
    if (error) throw new Error(error.message);
    if (at > 1) {
      await reviewer.call('POST', `/staff/v1/offline-sales/${data.id}/settle`, { note: 'Counted' });
    }
  }
}
