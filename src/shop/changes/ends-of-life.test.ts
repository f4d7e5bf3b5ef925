import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { allEventTypes } from '../../app/app.ts';
import { publicEventOf, type ResourceType } from './public-events.ts';

/** Everything that a copy of the shop holds, and can end, tells its end (D64). */
const service = await startTestService();
const { call, context } = service;
afterAll(() => service.close());

/** The events by which each kind of resource ends; none: it never does. */
const endsOf: Readonly<Record<ResourceType, readonly string[]>> = {
  order: ['order.canceled', 'order.voided'],
  customer: ['customer.merged', 'customer.erased'],
  customer_group: ['customer_group.deleted'],
  // Entries of a ledger.
  loyalty_event: [],
  product: ['product.deleted'],
  option: ['option.deleted'],
  product_category: ['product_category.deleted'],
  product_sub_category: ['product_sub_category.deleted'],
  brand: ['brand.merged', 'brand.deleted'],
  tag: ['tag.deleted'],
  // An import; its products tell their own changes.
  catalog: [],
  // The amounts of a package; they end with it.
  stock: [],
  package: ['package.finished', 'package.voided'],
  // A document that was received.
  compliance_transfer: [],
  purchase_order: ['purchase_order.closed'],
  inventory_vendor: ['inventory_vendor.archived'],
  inventory_location: ['inventory_location.archived'],
  payment_type: ['payment_type.archived'],
  queue_entry: ['queue.left'],
  organization: [],
};

test('each kind of resource has its events of the end, and no other event names one', () => {
  const listed = Object.entries(endsOf).flatMap(([resource, types]) => types.map((type) => [type, resource]));
  for (const [type, resource] of listed) {
    expect([type, publicEventOf(type!)?.resource]).toEqual([type, resource]);
    expect(allEventTypes).toContain(type);
  }
  const ending =
    /\.(deleted|merged|erased|canceled|archived|closed|voided|finished|left|ended|removed|revoked)$/;
  const told = allEventTypes.filter((type) => ending.test(type) && publicEventOf(type) !== null);
  expect(told.toSorted()).toEqual(listed.map(([type]) => type).toSorted());
});

test('what staff delete is told with its id', async () => {
  const shop = await createTestShop(context);
  const owner = await service.staff(shop);
  const { cursor } = (await call('GET', '/api/v1/changes/latest', { keys: shop.keys })).data;
  const expected: string[][] = [];
  for (const [collection, body, type] of [
    ['brands', { name: 'Ending' }, 'brand.deleted'],
    ['tags', { name: 'Ending' }, 'tag.deleted'],
    ['customer-groups', { name: 'Ending' }, 'customer_group.deleted'],
    ['product-categories', { name: 'Ending', cannabisType: 'none' }, 'product_category.deleted'],
    ['inventory-locations', { name: 'Ending' }, 'inventory_location.archived'],
  ] as const) {
    const made = await owner.call('POST', `/staff/v1/${collection}`, body);
    expect([collection, made.status, made.error]).toEqual([collection, 201, undefined]);
    const { status } = await owner.call('DELETE', `/staff/v1/${collection}/${made.data.id}`, {});
    expect([collection, status < 300]).toEqual([collection, true]);
    expected.push([type, String(made.data.id)]);
  }
  const types = expected.map(([type]) => type).join();
  const { data } = await call('GET', `/api/v1/changes?after=${cursor}&types=${types}`, { keys: shop.keys });
  const told = data.map((it: { type: string; resource: { id: string } }) => [it.type, it.resource.id]);
  expect(told).toEqual(expected);
});
