import { assert } from '../../src/kernel/assert.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { nowMs, numbersTo, turn } from './filter-times.ts';

/** Some rows of each list of settings, in another order by their names and values than they were made in. */
export async function addSettings(service: TestService, shop: TestShop, customerId: number): Promise<void> {
  const owner = await service.staff(shop);
  const post = async (path: string, body: object) => {
    const reply = await owner.call('POST', `/staff/v1/${path}`, body);
    assert(reply.error === undefined, `a list's test cannot POST ${path}: ${reply.text}`);
    return reply.data;
  };
  const after = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
  const me = await owner.call('GET', '/staff/v1/me');
  for (const at of numbersTo(5)) {
    service.clock.advance(1500);
    const name = turn(['Élan', 'birch', 'Cedar', 'alder', 'Dune'], at);
    await post('customer-groups', { name, description: null });
    await post('tags', { name, productIds: at < 3 ? [shop.productId('Front Jar')] : [] });
    await post('registers', {
      name,
      inventoryLocationId: shop.locationId(turn(['Storefront', 'Vault'], at)),
      cashWithoutSession: 'warn',
    });
    await post('inventory-locations', { name, type: turn(['standard', 'vehicle'], at) });
    const van = await post('inventory-locations', { name: `Van ${at}`, type: 'vehicle' });
    await post('vehicles', {
      ...{ name, licensePlate: turn(['9ABC', '1XYZ', '5DEF'], at), make: 'Ford', model: 'Transit' },
      inventoryLocationId: van.id,
    });
    const driver = await service.staff(shop, turn(['manager', 'budtender'], at));
    await post('drivers', { staffId: driver.staffId, phone: turn(['+15105550142', null], at) });
    await post('delivery-zones', {
      name,
      postalCodes: [`9470${at}`],
      orderMinimum: turn([500, 100, 300], at),
      deliveryFee: turn([0, 900, 200, 0], at),
      deliveryFeeDescription: null,
    });
    await post('report-mails', {
      name,
      reports: ['sales'],
      hour: turn([7, 5, 9], at),
      staffIds: [me.data.staff.id],
    });
    await post('time-slots', {
      ...{ name, orderType: turn(['pickup', 'delivery'], at), days: [1] },
      ...{ startsAt: turn(['10:00', '09:00', '11:00'], at), endsAt: '12:00', capacity: turn([5, 3, 9], at) },
    });
    await post('closed-days', { name, day: turn(['2026-12-25', '2026-11-26', '2027-01-01'], at) });
    await post('payment-types', {
      name,
      fee: turn([350, 0, 100], at),
      feeDescription: 'Terminal fee',
      method: 'debit',
      feePercent: '0',
      availableDelivery: true,
    });
    await post('taxes', {
      description: name,
      rate: turn(['9.25', '10', '0.5'], at),
      tier: turn(['3', '2', '1'], at),
      encompass: false,
      exemptable: true,
      startsAt: after(turn([40, 20, 30], at)),
      ...(at % 2 === 0 && { endsAt: after(100 - at) }),
    });
    await post('purchase-limit-rules', {
      name,
      customerType: turn(['adult-use', 'medical'], at),
      cannabisType: 'non-concentrated',
      limit: '28',
      unit: 'g',
      window: 'local-day',
      ...(at % 2 === 0 && { startsOn: after(40 - at).slice(0, 10), endsOn: after(90 + at).slice(0, 10) }),
    });
    await post('customers/CUSTOMER/credits'.replace('CUSTOMER', String(customerId)), {
      type: 'store-credit',
      amount: turn([1500, 700, 2200], at),
      description: name,
      ...(at % 2 === 0 && { expiresAt: after(60 - at) }),
    });
    await post('staff', {
      email: `${turn(['mo', 'ana', 'lee'], at)}.${at}@shop.example.com`,
      firstName: name,
      lastName: turn(['Okafor', 'Ang'], at),
      role: turn(['budtender', 'manager', 'inventory'], at),
    });
    await service.call('POST', '/api/v1/webhook-endpoints', {
      keys: shop.keys,
      body: { url: `https://${turn(['hooks', 'b', 'a'], at)}.example.com/${at}` },
    });
  }
}
