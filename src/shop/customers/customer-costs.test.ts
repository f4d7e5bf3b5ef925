import { afterAll, expect, test, vi } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestRequest } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { customerGroups } from './customer-group-setting.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context } = service;
const { statistics } = context.database;
/** Blocks of ids are fetched once per thousand ids, by any request: they are not counted. */
const blocks = vi.spyOn(context.database, 'global');
afterAll(() => service.close());

interface People {
  readonly shop: TestShop;
  readonly groupId: number;
  readonly userId: number;
  readonly newestId: number;
}

/** The given number of customers, each with an address, points and a group. */
async function peopled(count: number): Promise<People> {
  const shop = await createTestShop(context);
  const { organizationId, keys } = shop;
  const { id: groupId } = await customerGroups.writes.create(
    context,
    { actor: 'job:test', requestId: null },
    organizationId,
    {
      name: 'Regulars',
      description: null,
    },
  );
  const ids = await importPeople(
    context,
    organizationId,
    Array.from({ length: count }, (_, at) => ({ email: `person${at}@customers.example.com` })),
  );
  for (const [at, id] of ids.entries()) {
    const email = `person${at}@customers.example.com`;
    const customer = { firstName: 'Given', lastName: 'Onfile', email };
    await service.call('POST', '/api/v1/orders', { keys, body: deliveryBody(shop, { customer }) });
    await tenantSql(
      context.database,
      organizationId,
      `insert into customer_group_members values (current_organization_id(), ${id}, ${groupId}, now())`,
    );
    await service.call('POST', '/api/v1/loyalty-events', {
      keys,
      body: { customerId: id, pointsAmount: 5, reason: 'Welcome' },
    });
  }
  return { shop, groupId, userId: ids[0]!, newestId: ids.at(-1)! };
}

const shops = [await peopled(2), await peopled(60)];
// Until no former place of a customer counts; then the keys are looked up again.
service.clock.advance(3_600_000);
for (const { shop } of shops) await service.call('GET', '/api/v1/organization', { keys: shop.keys });

type Request = (people: People) => readonly [method: string, path: string, request?: TestRequest];
const list =
  (query: (newestId: number) => NonNullable<TestRequest['query']>): Request =>
  ({ newestId }) => ['GET', 'customers', { query: query(newestId) }];

/** Begin, commit and entering the organization count as statements. */
const requests: readonly [string, Request, { statements: number; roundTrips: number }][] = [
  ['a page', list(() => ({})), { statements: 2, roundTrips: 1 }],
  ['a page by change', list(() => ({ sortBy: 'updatedAt' })), { statements: 2, roundTrips: 1 }],
  ['a page after a cursor', list((startingAfter) => ({ startingAfter })), { statements: 2, roundTrips: 1 }],
  [
    'a page by change after a cursor',
    list((startingAfter) => ({ startingAfter, sortBy: 'updatedAt' })),
    { statements: 2, roundTrips: 1 },
  ],
  ['a page of a day', list(() => ({ startingOn: '2026-03-10' })), { statements: 2, roundTrips: 1 }],
  [
    'a page of a day after a cursor',
    list((startingAfter) => ({ startingAfter, startingOn: '2026-03-10' })),
    { statements: 2, roundTrips: 1 },
  ],
  ['a customer', ({ userId }) => ['GET', `customers/${userId}`], { statements: 2, roundTrips: 1 }],
  ['the groups', () => ['GET', 'customer-groups'], { statements: 2, roundTrips: 1 }],
  // Group and customer; the membership; the customer touched and read; audit and event.
  ...(['remove', 'add'] as const).map(
    (verb) =>
      [
        `to ${verb} a customer`,
        ({ groupId }: People) => [
          'PUT',
          `customer-groups/${groupId}/${verb}-customer`,
          { body: { emailOrPhone: 'person0@customers.example.com' } },
        ],
        { statements: 2 + 2 + 1 + 2 + 2 + 1, roundTrips: 4 },
      ] as const satisfies [string, Request, object],
  ),
  [
    'points',
    // Key and customer; customer, key and balance under lock; entry, balance created and changed, audit and event.
    ({ userId }) => [
      'POST',
      'loyalty-events',
      {
        body: {
          customerId: userId,
          pointsAmount: 1,
          reason: 'Visit',
          idempotencyKey: crypto.randomUUID(),
        },
      },
    ],
    { statements: 2 + 2 + 3 + 5 + 1, roundTrips: 3 },
  ],
];

test.each(requests)('%s costs as much for one customer as for many', async (_, request, cost) => {
  for (const people of shops) {
    const send = async () => {
      const [method, path, options] = request(people);
      const reply = await service.call(method, `/api/v1/${path}`, { keys: people.shop.keys, ...options });
      expect(reply.error).toBeUndefined();
    };
    const { statements, roundTrips } = statistics;
    const blockCount = blocks.mock.calls.length;
    await send();
    const fetched = blocks.mock.calls.length - blockCount;
    expect({
      statements: statistics.statements - statements - fetched,
      roundTrips: statistics.roundTrips - roundTrips - fetched,
    }).toEqual(cost);
  }
});
