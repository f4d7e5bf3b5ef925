import { afterAll, expect, test } from 'vitest';
import { allEventTypes } from '../../src/app/app.ts';
import { startTestService } from '../harness/test-service.ts';
import { auditedWorld } from './audited-world.ts';
import { documentBody } from './contract-world.ts';

/** The edit of each kind of thing by its operation, and its audit entry (D58). */
const service = await startTestService();
afterAll(() => service.close());
const {
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
} = await auditedWorld(service);

const change = (from: unknown, to: unknown) => ({ from, to });

/** The call, the fields that it changes, and its audit entries. */
const edits: readonly (readonly [
  method: string,
  path: string,
  body: object,
  ...entries: [string, object][],
])[] = [
  [
    'PATCH',
    `webhook-endpoints/${webhook.id}`,
    { url: 'https://hooks.example.com/moved', types: ['order.*'], enabled: false },
    [
      'webhook_endpoint.updated',
      {
        webhookEndpointId: webhook.id,
        url: change('https://hooks.example.com', 'https://hooks.example.com/moved'),
        types: change([], ['order.*']),
        enabled: change(true, false),
      },
    ],
  ],
  [
    'PUT',
    `products/${product.id}`,
    { name: 'Harbor Mist', brandName: 'Fernweh', thcAmount: '21.50', thcUnit: '%' },
    [
      'product.updated',
      {
        productId: product.id,
        name: change('Harbor Fog', 'Harbor Mist'),
        brandName: change(null, 'Fernweh'),
        thcAmount: change(null, '21.5'),
        thcUnit: change(null, '%'),
      },
    ],
  ],
  [
    'PUT',
    `menu-imports/${menu.id}/mapping`,
    { mapping: null },
    ['menu_import.updated', { menuImportId: menu.id, mapping: change(expect.any(String), null) }],
  ],
  [
    'PATCH',
    `products/${product.id}`,
    { isActive: true, isFeatured: false },
    ['product.updated', { productId: product.id, isActive: change(false, true) }],
  ],
  [
    'PUT',
    `products/${product.id}/options`,
    { options: [{ id: option!.id, price: 1 }] },
    ['product_options.replaced', { changed: [{ id: option!.id, price: change(3333, 1) }] }],
  ],
  [
    'PUT',
    `products/${product.id}/options/upc`,
    { options: [{ id: option!.id, upc: '111' }] },
    ['product_options.updated', { changed: [{ id: option!.id, upc: change(null, '111') }] }],
  ],
  [
    'PATCH',
    `brands/${brand.id}`,
    { description: 'Far' },
    ['brand.updated', { brandId: brand.id, description: change(null, 'Far') }],
  ],
  [
    'PATCH',
    `product-categories/${category.id}`,
    { name: 'Tea', order: 7, cannabisType: 'none' },
    [
      'product_category.updated',
      { productCategoryId: category.id, name: change('Teas', 'Tea'), order: change(expect.any(Number), 7) },
    ],
  ],
  [
    'PATCH',
    `product-sub-categories/${subCategory.id}`,
    { name: 'Herbs' },
    [
      'product_sub_category.updated',
      { productSubCategoryId: subCategory.id, name: change('Herbal', 'Herbs') },
    ],
  ],
  [
    'PATCH',
    `tags/${tag.id}`,
    { name: 'Calm', productIds: [product.id] },
    ['tag.updated', { tagId: tag.id, productIds: change([], [product.id]) }],
  ],
  [
    'PATCH',
    `customers/${customer.id}`,
    { ...person, lastName: 'Quillpen', zip: '94698', taxExempt: true, medicalExpiration: '2027-01-31' },
    [
      'customer.updated',
      {
        customerId: customer.id,
        taxExempt: change(null, true),
        medicalExpiration: change(null, '2027-01-31'),
        fields: ['lastName', 'zip'],
      },
    ],
  ],
  [
    'PATCH',
    `customer-groups/${group.id}`,
    { name: 'Veterans', description: 'With a card' },
    ['customer_group.updated', { customerGroupId: group.id, description: change(null, 'With a card') }],
  ],
  [
    'PATCH',
    `discounts/${discount.id}`,
    { amount: 90, conditions: { minimumSubtotal: 5000 }, startsAt: '2026-04-01T00:00:00.000Z' },
    [
      'discount.updated',
      {
        discountId: discount.id,
        type: 'percent',
        amount: change(5, 90),
        minimumSubtotal: change(null, 5000),
        startsAt: change(null, '2026-04-01T00:00:00.000Z'),
      },
    ],
  ],
  [
    'PUT',
    'loyalty-program',
    { pointsPerDollar: 2 },
    ['loyalty_program.updated', { organizationId: shop.organizationId, pointsPerDollar: change(0, 2) }],
  ],
  [
    'PATCH',
    `loyalty-rewards/${reward.id}`,
    { pointsRequirement: '120.50', discountAmount: 500 },
    [
      'loyalty_reward.updated',
      { loyaltyRewardId: reward.id, type: 'flat', pointsRequirement: change(100, 120.5) },
    ],
  ],
  [
    'PUT',
    `inventory-vendors/${vendor.id}`,
    { ...vendorProfile, email: 'quillfeather@vendor.example.com', sellerPermitNumber: 'S-1' },
    [
      'inventory_vendor.updated',
      { inventoryVendorId: vendor.id, sellerPermitNumber: change(null, 'S-1'), fields: ['email'] },
    ],
  ],
  [
    'PUT',
    `purchase-orders/${purchase.id}`,
    {
      notes: 'Ring twice',
      shippingHandlingFee: 700,
      lineItems: [{ id: ordered.id, productId: product.id, amount: '10.0', costPerUnit: '120' }],
    },
    [
      'purchase_order.updated',
      {
        purchaseOrderId: purchase.id,
        notes: change(null, 'Ring twice'),
        shippingHandlingFee: change(0, 700),
        lineItems: { changed: [{ id: ordered.id, costPerUnit: change('100', '120') }] },
      },
    ],
  ],
  [
    'PATCH',
    `inventory-locations/${place.id}`,
    { name: 'Van II', type: 'vehicle' },
    ['inventory_location.updated', { inventoryLocationId: place.id, name: change('Van', 'Van II') }],
  ],
  [
    'PATCH',
    `vehicles/${vehicle.id}`,
    { name: 'Green van' },
    ['vehicle.updated', { vehicleId: vehicle.id, name: change('Blue van', 'Green van') }],
  ],
  [
    'PATCH',
    `drivers/${driver.id}`,
    { employeeNumber: 'E-1183', phone: '+15105550142' },
    ['driver.updated', { driverId: driver.id, employeeNumber: change(null, 'E-1183'), fields: ['phone'] }],
  ],
  [
    'PATCH',
    `trips/${trip.id}`,
    { day: '2026-12-23', note: 'Zephyrine rides along' },
    ['trip.updated', { tripId: trip.id, day: change('2026-12-24', '2026-12-23'), fields: ['note'] }],
  ],
  [
    'PATCH',
    `packages/${pkg.id}`,
    { thcPercent: '21.50', onHold: true },
    ['package.updated', { packageId: pkg.id, thcPercent: change(null, '21.5'), onHold: change(false, true) }],
  ],
  [
    'PATCH',
    `payment-types/${paymentType.id}`,
    { fee: 250, name: 'Chips' },
    ['payment_type.updated', { paymentTypeId: paymentType.id, name: 'Chips', fee: change(100, 250) }],
  ],
  [
    'PATCH',
    `delivery-zones/${zone.id}`,
    { deliveryFee: 900, postalCodes: ['95999', '95998'] },
    [
      'delivery_zone.updated',
      {
        deliveryZoneId: zone.id,
        name: 'Hills',
        deliveryFee: change(500, 900),
        postalCodes: change(['95999'], ['95998', '95999']),
      },
    ],
  ],
  [
    'PATCH',
    `time-slots/${timeSlot.id}`,
    { capacity: 5 },
    ['time_slot.updated', { timeSlotId: timeSlot.id, name: 'Evening', capacity: change(3, 5) }],
  ],
  [
    'PATCH',
    `closed-days/${closedDay.id}`,
    { orderType: 'pickup' },
    [
      'closed_day.updated',
      {
        ...{ closedDayId: closedDay.id, day: '2026-12-25', name: 'Christmas' },
        orderType: change(null, 'pickup'),
      },
    ],
  ],
  [
    'PATCH',
    `taxes/${tax.id}`,
    { endsAt: '2027-01-01T00:00:00.000Z' },
    [
      'tax.updated',
      { taxId: tax.id, description: 'City tax', endsAt: change(null, '2027-01-01T00:00:00.000Z') },
    ],
  ],
  [
    'PATCH',
    `taxes/${tax.id}`,
    { rate: '6' },
    [
      'tax.ended',
      {
        taxId: tax.id,
        description: 'City tax',
        endsAt: change('2027-01-01T00:00:00.000Z', expect.any(String)),
      },
    ],
    [
      'tax.created',
      {
        taxId: expect.any(Number),
        replaces: tax.id,
        description: 'City tax',
        rate: change('5.25', '6'),
        startsAt: change(expect.any(String), expect.any(String)),
      },
    ],
  ],
  [
    'PATCH',
    `purchase-limit-rules/${rule.id}`,
    { limit: '28', windowDays: 1 },
    [
      'purchase_limit_rule.updated',
      { purchaseLimitRuleId: rule.id, limit: change('56', '28'), windowDays: change(2, 1) },
    ],
  ],
  [
    'PATCH',
    'organization',
    { orderMinimums: { pickup: 1250 } },
    [
      'organization.updated',
      {
        organizationId: shop.organizationId,
        orderMinimums: change(
          expect.objectContaining({ pickup: expect.any(Number) }),
          expect.objectContaining({ pickup: 1250 }),
        ),
      },
    ],
  ],
  [
    'PUT',
    'offline-sale-settings',
    { shop: { isOn: true, hoursMax: 8, saleMax: 50_000, outageMax: 1_000_000 }, locations: [] },
    ['offline_sale_limits.updated', { isOn: change(false, true), hoursMax: change(4, 8) }],
  ],
  [
    'PATCH',
    `report-mails/${reportMail.id}`,
    { hour: 9, weekday: null },
    ['report_mail.updated', { reportMailId: reportMail.id, hour: change(21, 9) }],
  ],
  [
    'POST',
    'move/steps',
    { step: 'freeze' },
    ['move.updated', { moveId: move.id, till: 'Corner till', status: change('open', 'frozen') }],
  ],
  [
    'PATCH',
    `staff/${other.staffId}`,
    { role: 'manager', firstName: 'Zephyrine' },
    [
      'staff.updated',
      { staffId: other.staffId, role: change('budtender', 'manager'), fields: ['firstName'] },
    ],
  ],
];

for (const [method, path, body, ...entries] of edits) {
  test(`${method} ${path} records old and new values`, async () => {
    expect(await entriesOf(method, path, body)).toEqual(entries);
  });
}

test('an edit that changes nothing leaves no entry', async () => {
  for (const [method, path, body] of edits) {
    // A new rate is another tax with another id.
    if (path !== `taxes/${tax.id}`) expect([path, await entriesOf(method, path, body)]).toEqual([path, []]);
  }
});

test('the entry of an edited order has its lines and amounts, and not its notes', async () => {
  const lineItems = [
    { productOptionId: shop.optionId('eighth'), quantity: 3 },
    { productOptionId: shop.optionId('gummies'), quantity: 1 },
  ];
  const [[action, details] = []] = (
    await entriesOf('PATCH', `orders/${order.id}`, { lineItems, internalNotes: 'Zephyrine is ill' })
  ).filter(([it]) => it === 'order.updated');
  expect([action, details]).toEqual([
    'order.updated',
    {
      orderId: order.id,
      totalPrice: change(order.totalPrice, expect.any(Number)),
      netPrice: change(order.netPrice, expect.any(Number)),
      customerGrandTotal: change(order.customerGrandTotal, expect.any(Number)),
      payments: change([expect.anything()], [expect.anything()]),
      fields: ['internalNotes'],
      lineItems: {
        added: [
          {
            id: expect.any(Number),
            productOptionId: shop.optionId('gummies'),
            productName: expect.any(String),
            optionName: expect.any(String),
            quantity: 1,
            unitPrice: expect.any(Number),
          },
        ],
        changed: [{ id: line.id, quantity: change(2, 3) }],
      },
    },
  ]);
});

test('the entry of a gift by hand has the amount and the customer', async () => {
  const expiresAt = '2027-01-01T00:00:00.000Z';
  const body = { type: 'store-credit', amount: 500, description: 'For Zephyrine', expiresAt };
  expect(await entriesOf('POST', `customers/${customer.id}/credits`, body)).toEqual([
    [
      'customer_credit.issued',
      {
        customerCreditId: expect.any(Number),
        customerId: customer.id,
        type: 'store-credit',
        amount: 500,
        percent: null,
        expiresAt,
      },
    ],
  ]);
  const points = { pointsAmount: '12.5', reason: 'For Zephyrine' };
  expect(await entriesOf('POST', `customers/${customer.id}/loyalty-adjustments`, points)).toEqual([
    [
      'loyalty_event.created',
      { loyaltyEventId: expect.any(Number), customerId: customer.id, type: 'adjusted', pointsAmount: 12.5 },
    ],
  ]);
});

test('the entry of a reviewed document has its last day and the earlier value of the customer', async () => {
  const { error } = await service.call('POST', `/api/v1/documents/${customer.id}/recommendation`, {
    keys: shop.keys,
    body: documentBody,
  });
  expect(error).toBeUndefined();
  const [document] = await sql('select id from customer_documents');
  const path = `customers/${customer.id}/documents/${document!.id}/review`;
  const approved = { decision: 'approved', expiresOn: '2027-05-31', reason: 'Zephyrine in person' };
  const former = '2027-01-31';
  expect(await entriesOf('POST', path, approved)).toEqual([
    [
      'customer_document.reviewed',
      {
        customerId: customer.id,
        type: 'recommendation',
        status: change('pending', 'approved'),
        expiresOn: change(null, '2027-05-31'),
        fields: ['reason'],
      },
    ],
    ['customer.updated', { customerId: customer.id, medicalExpiration: change(former, '2027-05-31') }],
  ]);
});

test('the entry of an ended thing has its earlier end', async () => {
  const [[action, details] = []] = await entriesOf('DELETE', `discounts/${discount.id}`);
  expect([action, details]).toEqual([
    'discount.ended',
    { discountId: discount.id, name: 'Happy hour', endsAt: change(null, expect.any(String)) },
  ]);
});

test('the cases above change every kind of thing', () => {
  const changed = allEventTypes.filter((type) => /\.(updated|replaced)$/.test(type));
  const told = edits.flatMap(([, , , ...entries]) => entries.map(([action]) => action));
  expect([...new Set([...told, 'order.updated', 'register.updated', 'state_connection.updated'])]).toEqual(
    expect.arrayContaining(changed),
  );
});

test('no entry contains personal data, and none is long', async () => {
  const rows = await sql('select details::text as details from audit_entries');
  const personal = [...Object.values(person), 'Quillpen', '94698', '4155550199', 'quillfeather@'];
  for (const { details } of rows) {
    for (const secret of personal.filter((it) => it !== person.sex)) {
      expect(String(details).toLowerCase()).not.toContain(secret.toLowerCase());
    }
    expect(String(details).length).toBeLessThan(2000);
  }
});
