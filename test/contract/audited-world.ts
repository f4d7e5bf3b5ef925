import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';
import { uploadMenu } from './staff-world.ts';

/** A shop with one thing of each kind that staff can edit, and how its audit entries are read (D58). */
export async function auditedWorld(service: TestService) {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const other = await service.staff(shop, 'budtender');
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

  async function ask(method: string, path: string, body?: object) {
    service.clock.advance(1000);
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect([path, error]).toEqual([path, undefined]);
    return data;
  }
  const made = async (path: string, body: object): Promise<{ id: number }> => ask('POST', path, body);

  /** The audit entries of a call: action and details. */
  async function entriesOf(method: string, path: string, body?: object): Promise<[string, object][]> {
    const [before] = await sql('select coalesce(max(id), 0) as id from audit_entries');
    await ask(method, path, body);
    const rows = await sql(
      `select action, details from audit_entries where id > ${before!.id} and actor = 'staff:${owner.staffId}' order by id`,
    );
    return rows.map(({ action, details }) => [action, details]);
  }
  const person = {
    firstName: 'Zephyrine',
    lastName: 'Quillfeather',
    email: 'zephyrine@customers.example.com',
    phone: '+14155550199',
    birthday: '1971-11-23',
    sex: 'female',
    zip: '94699',
  };
  const customer = await made('customers', person);
  const order = await ask('POST', 'orders', {
    type: 'in-store',
    customerId: customer.id,
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    idempotencyKey: randomUUID(),
  });
  const [line] = order.lineItems;
  const product = await made('products', {
    name: 'Harbor Fog',
    description: 'Salt and pine.',
    unit: 'gram',
    strainType: 'hybrid',
    category: 'Flower',
    subCategories: [],
    photos: [],
    options: [{ amount: 1, price: 3333, content: '1' }],
  });
  const [option] = (product as unknown as { options: { id: number }[] }).options;
  const vendorProfile = { name: 'Tidewater', email: 'zephyrine@vendor.example.com', state: 'CA' };
  const vendor = await made('inventory-vendors', vendorProfile);
  const purchase = await ask('POST', 'purchase-orders', {
    inventoryVendorId: vendor.id,
    expectedAt: '2026-03-14',
    lineItems: [{ productId: product.id, productOptionId: option!.id, amount: '10', costPerUnit: '100' }],
  });
  const [ordered] = purchase.lineItems;
  const brand = await made('brands', { name: 'Fernweh' });
  const category = await made('product-categories', { name: 'Teas', cannabisType: 'none' });
  const subCategory = await made('product-sub-categories', { name: 'Herbal' });
  const tag = await made('tags', { name: 'Calm', productIds: [] });
  const menu = await uploadMenu(owner);
  const group = await made('customer-groups', { name: 'Veterans' });
  const discount = await made('discounts', { name: 'Happy hour', kind: 'order', type: 'percent', amount: 5 });
  const reward = await made('loyalty-rewards', {
    name: 'Off',
    type: 'flat',
    pointsRequirement: 100,
    discountAmount: 500,
  });
  const place = await made('inventory-locations', { name: 'Van', type: 'vehicle' });
  const vehiclePlace = await made('inventory-locations', { name: 'Boot', type: 'vehicle' });
  const vehicle = await made('vehicles', {
    ...{ name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' },
    inventoryLocationId: vehiclePlace.id,
  });
  const driver = await made('drivers', { staffId: other.staffId });
  const trip = await made('trips', { driverId: driver.id, vehicleId: vehicle.id, day: '2026-12-24' });
  const paymentType = await made('payment-types', { name: 'Chips', method: 'other', fee: 100 });
  const timeSlot = await made('time-slots', {
    ...{ name: 'Evening', orderType: 'pickup', days: [5], startsAt: '17:00', endsAt: '19:00', capacity: 3 },
  });
  const closedDay = await made('closed-days', { name: 'Christmas', day: '2026-12-25' });
  const zone = await made('delivery-zones', { name: 'Hills', postalCodes: ['95999'], deliveryFee: 500 });
  const tax = await made('taxes', { description: 'City tax', rate: '5.25' });
  const rule = await made('purchase-limit-rules', {
    name: 'Two ounces',
    customerType: 'adult-use',
    cannabisType: 'non-concentrated',
    limit: '56',
    unit: 'g',
    window: 'rolling-days',
    windowDays: 2,
  });
  const pkg = await made('packages', {
    label: '1A4FF0000000000000000077',
    productId: shop.productId('Counter Jar'),
    unit: 'g',
    initialAmount: '5',
  });

  const webhook = await made('webhook-endpoints', {
    clientKeyId: shop.clientKeyId,
    url: 'https://hooks.example.com',
  });
  const reportMail = await made('report-mails', {
    ...{ name: 'Evening', reports: ['sales'], weekday: null, hour: 21, staffIds: [owner.staffId] },
  });
  const move = await made('move', { till: 'Corner till' });

  return {
    shop,
    other,
    sql,
    entriesOf,
    person,
    customer,
    order,
    line,
    product,
    option,
    vendorProfile,
    vendor,
    purchase,
    ordered,
    brand,
    category,
    subCategory,
    tag,
    menu,
    group,
    discount,
    reward,
    place,
    vehicle,
    driver,
    trip,
    paymentType,
    zone,
    timeSlot,
    closedDay,
    tax,
    rule,
    pkg,
    webhook,
    reportMail,
    move,
  };
}
