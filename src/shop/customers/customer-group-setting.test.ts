import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
const stranger = await service.staff(await createTestShop(service.context));
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const path = '/staff/v1/customer-groups';
const nowhere = 404_404;

async function createGroup(name: string): Promise<number> {
  const reply = await owner.call('POST', path, { name });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

/** Orders create customers; the response has the id. */
async function createCustomer(email: string): Promise<number> {
  const body = pickupBody(shop, { customer: { firstName: 'Ines', lastName: 'Abara', email } });
  return (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).data.customer.id;
}

async function updatedAtOf(customerId: number): Promise<string> {
  return (await service.call('GET', `/api/v1/customers/${customerId}`, { keys: shop.keys })).data.updatedAt;
}

async function groupsOf(customerId: number): Promise<string[]> {
  const { data } = await service.call('GET', `/api/v1/customers/${customerId}`, { keys: shop.keys });
  return data.customerGroups;
}

test('a group is created, read, listed, changed and deleted', async () => {
  const created = await owner.call('POST', path, { name: ' Veterans ', description: 'Card shown' });
  expect(created.status).toBe(201);
  const at = '2026-03-10T18:00:00.000Z';
  const group = { id: created.data.id, name: 'Veterans', description: 'Card shown', createdAt: at };
  expect(created.data).toEqual({ ...group, updatedAt: at });
  expect((await owner.call('GET', `${path}/${group.id}`)).data).toEqual(created.data);
  expect((await owner.call('GET', path)).data).toContainEqual(created.data);

  service.clock.advance(1000);
  const patched = await owner.call('PATCH', `${path}/${group.id}`, { name: 'veterans' });
  expect(patched.data).toEqual({ ...group, name: 'veterans', updatedAt: '2026-03-10T18:00:01.000Z' });
  const put = await owner.call('PUT', `${path}/${group.id}`, { name: 'Service members' });
  expect(put.data).toMatchObject({ name: 'Service members', description: null });

  expect((await owner.call('DELETE', `${path}/${group.id}`)).status).toBe(200);
  expect((await owner.call('GET', `${path}/${group.id}`)).error?.code).toBe('CUSTOMER_GROUP_NOT_FOUND');
  expect((await owner.call('GET', path)).data).toEqual([]);
  await createGroup('Service members');
});

describe('the groups of a customer', () => {
  test('are exactly those that were set', async () => {
    const [a, b, c] = [await createGroup('A'), await createGroup('B'), await createGroup('C')];
    const customerId = await createCustomer('ines@customers.example.com');
    const set = (customerGroupIds: readonly number[]) =>
      owner.call('PUT', `/staff/v1/customers/${customerId}/groups`, { customerGroupIds });
    expect((await set([b, a, b])).data.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
    expect(await groupsOf(customerId)).toEqual(['A', 'B']);
    await set([b, c]);
    expect(await groupsOf(customerId)).toEqual(['B', 'C']);

    const refused = await set([a, nowhere]);
    expect(refused.error).toEqual({
      code: 'INVALID_PARAMS',
      message: 'customerGroupIds[1] names no customer group.',
    });
    expect(await groupsOf(customerId)).toEqual(['B', 'C']);
    expect((await set([])).data).toEqual([]);
    expect(await groupsOf(customerId)).toEqual([]);

    const unknown = await owner.call('PUT', `/staff/v1/customers/${nowhere}/groups`, {
      customerGroupIds: [a],
    });
    expect(unknown.error?.code).toBe('USER_NOT_FOUND');
    const theirs = await stranger.call('PUT', `/staff/v1/customers/${customerId}/groups`, {
      customerGroupIds: [],
    });
    expect(theirs.text).toBe(unknown.text);
  });

  test("change the customer's `updatedAt` if and only if the response changes", async () => {
    const id = await createGroup('Night shift');
    const customerId = await createCustomer('night@customers.example.com');
    const movesAfter = async (change: () => Promise<{ readonly status: number }>) => {
      service.clock.advance(1000);
      expect((await change()).status).toBe(200);
      return (await updatedAtOf(customerId)) === new Date(service.clock.now()).toISOString();
    };
    const set = () =>
      owner.call('PUT', `/staff/v1/customers/${customerId}/groups`, { customerGroupIds: [id] });
    const rename = (name: string) => () => owner.call('PATCH', `${path}/${id}`, { name });
    expect(await movesAfter(set)).toBe(true);
    expect(await movesAfter(set)).toBe(false);
    expect(await movesAfter(rename('Late shift'))).toBe(true);
    expect(await movesAfter(rename('Late shift'))).toBe(false);
    expect(await movesAfter(() => owner.call('DELETE', `${path}/${id}`))).toBe(true);
    expect(await groupsOf(customerId)).toEqual([]);
  });

  test('set at once from many sides are those of one of them', async () => {
    const ids = [await createGroup('One'), await createGroup('Two'), await createGroup('Three')];
    const customerId = await createCustomer('many@customers.example.com');
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        owner.call('PUT', `/staff/v1/customers/${customerId}/groups`, { customerGroupIds: [ids[index % 3]] }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await groupsOf(customerId)).toHaveLength(1);
  });

  test('lose a deleted group; a group that a live discount names cannot be deleted', async () => {
    const id = await createGroup('Neighbours');
    const customerId = await createCustomer('next-door@customers.example.com');
    await owner.call('PUT', `/staff/v1/customers/${customerId}/groups`, { customerGroupIds: [id] });
    const discount = await owner.call('POST', '/staff/v1/discounts', {
      name: 'Next door',
      kind: 'order',
      type: 'percent',
      amount: 5,
      conditions: { customerGroupIds: [id] },
    });
    expect((await owner.call('DELETE', `${path}/${id}`)).error).toEqual({
      code: 'CUSTOMER_GROUP_IN_USE',
      message: 'Live discounts name the group: "Next door".',
    });
    expect(await groupsOf(customerId)).toEqual(['Neighbours']);
    await owner.call('DELETE', `/staff/v1/discounts/${discount.data.id}`);
    expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(200);
    expect(await groupsOf(customerId)).toEqual([]);
  });

  test('a discount for a group and the deletion of the group never both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await createGroup(`Race ${round}`);
      const [discount, deletion] = await Promise.all([
        owner.call('POST', '/staff/v1/discounts', {
          name: 'Race',
          kind: 'order',
          type: 'percent',
          amount: 5,
          conditions: { customerGroupIds: [id] },
        }),
        owner.call('DELETE', `${path}/${id}`),
      ]);
      expect([discount.status, deletion.status].sort()).toEqual(
        discount.status === 201 ? [201, 409] : [200, 400],
      );
    }
  });
});
