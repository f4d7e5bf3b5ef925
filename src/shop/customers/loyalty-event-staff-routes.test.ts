import { afterAll, expect, test, vi } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context, clock } = service;
const shop = await createTestShop(context);
const owner = await service.staff(shop);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

let count = 0;
async function newCustomer({ organizationId }: TestShop = shop): Promise<number> {
  const email = `points-${++count}@customers.example.com`;
  const [id] = await importPeople(context, organizationId, [{ firstName: 'Ana', email }]);
  return id!;
}

const eventsOf = (customerId: number) => `/staff/v1/customers/${customerId}/loyalty-events`;
async function adjust(customerId: number, pointsAmount: number): Promise<number> {
  const path = `/staff/v1/customers/${customerId}/loyalty-adjustments`;
  const { data } = await owner.call('POST', path, { pointsAmount, reason: 'A lost receipt' });
  return data.id;
}

test("a customer's points are listed newest first, with their source, and without those of others", async () => {
  const id = await newCustomer();
  await adjust(await newCustomer(), 7);
  const adjusted = await adjust(id, 10.25);
  clock.advance(1000);
  const body = { customerId: id, pointsAmount: -0.25, reason: 'Brought a friend' };
  const taken = await service.call('POST', '/api/v1/loyalty-events', { keys: shop.keys, body });
  const { data } = await owner.call('GET', eventsOf(id));
  expect(data).toEqual([
    {
      id: taken.data.id,
      type: 'open-api',
      pointsAmount: -0.25,
      reason: 'Brought a friend',
      orderId: null,
      actor: { kind: 'key', id: shop.clientKeyId, name: expect.any(String) },
      createdAt: taken.data.createdAt,
    },
    {
      id: adjusted,
      type: 'adjusted',
      pointsAmount: 10.25,
      reason: 'A lost receipt',
      orderId: null,
      actor: { kind: 'staff', id: owner.staffId, name: expect.stringMatching(/^\S+ \S+$/) },
      createdAt: '2026-03-10T18:00:00.000Z',
    },
  ]);
});

test('pages follow each other without a gap or a repetition, also through entries with the same time', async () => {
  const id = await newCustomer();
  const made: number[] = [];
  for (let at = 0; at < 53; at++) made.unshift(await adjust(id, 1));
  const ids = async (query: string) =>
    (await owner.call('GET', `${eventsOf(id)}${query}`)).data.map((entry: { id: number }) => entry.id);
  const first = await ids('');
  const second = await ids(`?startingAfter=${first.at(-1)}`);
  expect([first.length, second.length]).toEqual([50, 3]);
  expect([...first, ...second]).toEqual(made);
  expect(await ids(`?startingAfter=${second.at(-1)}`)).toEqual([]);
});

test('a page costs one round trip, however many entries the customer has', async () => {
  const id = await newCustomer();
  await adjust(id, 1);
  const { statistics } = context.database;
  // Session lookups do not belong to the operation.
  const globals = vi.spyOn(context.database, 'global');
  const roundTrips = async () => {
    const before = statistics.roundTrips - globals.mock.calls.length;
    await owner.call('GET', eventsOf(id));
    return statistics.roundTrips - globals.mock.calls.length - before;
  };
  const one = await roundTrips();
  for (let at = 0; at < 12; at++) await adjust(id, 1);
  expect([one, await roundTrips()]).toEqual([1, 1]);
});

test("a cursor of another customer's entry is refused, and a customer without points has an empty list", async () => {
  const [id, other] = [await newCustomer(), await newCustomer()];
  const entry = await adjust(other, 1);
  expect((await owner.call('GET', eventsOf(id))).data).toEqual([]);
  for (const after of [entry, 404_404]) {
    expect((await owner.call('GET', `${eventsOf(id)}?startingAfter=${after}`)).error).toEqual({
      code: 'INVALID_CURSOR',
      message: "startingAfter must be the id of an entry of this customer's points.",
    });
  }
});
