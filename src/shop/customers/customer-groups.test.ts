import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { insertCustomerGroups } from './customer-group-queries.ts';
import { importPeople } from './people.test-support.ts';

const service = await startTestService();
const { context, clock } = service;
let shop: TestShop;
let groupIds: number[];
let ana: number;

beforeEach(async () => {
  shop = await createTestShop(context);
  groupIds = await createGroups(shop, ['Veterans', 'Seniors']);
  [ana] = (await importPeople(context, shop.organizationId, [
    { firstName: 'Ana', email: 'Ana.Silva@Customers.Example.com', phone: '(415) 555-0123' },
  ])) as [number];
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);

async function createGroups({ organizationId }: TestShop, names: readonly string[]): Promise<number[]> {
  const ids = await context.ids.take(names.length);
  await context.database.write(organizationId, async (tx) => {
    tx.queue(
      ...insertCustomerGroups(
        names.map((name, at) => {
          const createdAt = new Date(clock.now() + at * 1000).toISOString();
          return { id: ids[at]!, name, description: null, createdAt, updatedAt: createdAt };
        }),
      ),
    );
  });
  return ids;
}

function change(
  verb: 'add' | 'remove',
  emailOrPhone: unknown,
  groupId: unknown = groupIds[0],
  keys = shop.keys,
): Promise<TestReply> {
  return service.call('PUT', `/api/v1/customer-groups/${groupId}/${verb}-customer`, {
    keys,
    body: { emailOrPhone },
  });
}

test('groups are listed newest first, those with the same time by id, without deleted ones', async () => {
  const [third] = await createGroups(shop, ['Regulars']);
  await sql(`update customer_groups set deleted_at = now() where id = ${groupIds[0]}`);
  const { data } = await service.call('GET', '/api/v1/customer-groups', { keys: shop.keys });
  const times = ['2026-03-10T18:00:01.000Z', '2026-03-10T18:00:00.000Z'];
  expect(data).toEqual(
    [
      { id: groupIds[1], name: 'Seniors' },
      { id: third, name: 'Regulars' },
    ].map((group, at) => ({ ...group, description: null, createdAt: times[at], updatedAt: times[at] })),
  );
});

describe('a person', () => {
  test.each([
    'ana.silva@customers.example.com',
    '  ANA.SILVA@CUSTOMERS.EXAMPLE.COM\t',
    '(415) 555-0123',
    '415-555-0123',
    '415.555.0123',
    '4155550123',
    '1 415 555 0123',
    ' +1 (415) 555-0123 ',
    'tel:+1-415-555-0123',
  ])('is found by %j', async (emailOrPhone) => {
    const reply = await change('add', emailOrPhone);
    expect([reply.status, reply.data.id, reply.data.customerGroups]).toEqual([200, ana, ['Veterans']]);
    expect((await change('remove', emailOrPhone)).data.customerGroups).toEqual([]);
  });

  test('is added and removed once, for any number of requests, and only then counts as changed', async () => {
    const updatedAt: string[] = [];
    for (const verb of ['add', 'add', 'remove', 'remove'] as const) {
      clock.advance(1000);
      const { data } = await change(verb, '4155550123');
      expect(data.customerGroups).toEqual(verb === 'add' ? ['Veterans'] : []);
      updatedAt.push(data.updatedAt);
    }
    const [added, , removed] = updatedAt;
    expect(updatedAt).toEqual([added, added, removed, removed]);
    expect(Date.parse(removed!) - Date.parse(added!)).toBe(2000);
    const payload = { customerId: ana, customerGroupId: groupIds[0] };
    const events = await sql(
      `select type, payload from outbox_events where type like 'customer_group.%' order by id`,
    );
    expect(events).toEqual([
      { type: 'customer_group.customer_added', payload },
      { type: 'customer_group.customer_removed', payload },
    ]);
    const audit = `select actor, action from audit_entries where action like 'customer_group.%' order by id`;
    expect((await sql(audit)).map(({ actor }) => actor)).toEqual(Array(2).fill(`key:${shop.clientKeyId}`));
  });

  test('is in a group once after many concurrent additions', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => change('add', '4155550123')));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await sql('select count(*) as n from customer_group_members')).toEqual([{ n: 1 }]);
    expect(
      await sql(`select count(*) as n from outbox_events where type = 'customer_group.customer_added'`),
    ).toEqual([{ n: 1 }]);
  });

  test('shows all groups by name', async () => {
    await change('add', '4155550123', groupIds[0]);
    expect((await change('add', '4155550123', groupIds[1])).data.customerGroups).toEqual([
      'Seniors',
      'Veterans',
    ]);
  });
});

test('unknown customer, unknown group and a text that is neither email nor phone have different errors, in that order', async () => {
  const other = await createTestShop(context);
  const [foreign] = await createGroups(other, ['Veterans']);
  await importPeople(context, other.organizationId, [
    { firstName: 'Ben', email: 'ben@customers.example.com' },
  ]);
  await sql(`update customer_groups set deleted_at = now() where id = ${groupIds[1]}`);
  const codeOf = async (emailOrPhone: unknown, groupId?: unknown) =>
    (await change('add', emailOrPhone, groupId)).error?.code;
  for (const unknown of ['unknown@customers.example.com', 'ben@customers.example.com', '(415) 555-0199']) {
    expect(await codeOf(unknown)).toBe('USER_NOT_FOUND');
    expect(await codeOf(unknown, foreign)).toBe('CUSTOMER_GROUP_NOT_FOUND');
  }
  for (const groupId of [foreign, groupIds[1], 9_007_199_254_740_000, 0, 'veterans']) {
    expect(await codeOf('4155550123', groupId)).toBe('CUSTOMER_GROUP_NOT_FOUND');
  }
  for (const neither of ['Ana Silva', 'ana@', '@', '12', ' ', 'x'.repeat(300)]) {
    expect(await codeOf(neither)).toBe('INVALID_PARAMS');
    expect(await codeOf(neither, foreign)).toBe('INVALID_PARAMS');
  }
  expect(await codeOf(undefined, foreign)).toBe('MISSING_PARAMS');
  // A customer of another organization gets the same response as an unknown one, to the byte.
  const [theirs, unknowns] = [
    await change('add', 'ben@customers.example.com'),
    await change('add', 'a@b.co'),
  ];
  expect([theirs.status, theirs.text]).toEqual([unknowns.status, unknowns.text]);
  expect(await sql('select count(*) as n from customer_group_members')).toEqual([{ n: 0 }]);
});
