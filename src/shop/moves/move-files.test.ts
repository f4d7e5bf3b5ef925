import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dyingAt } from '../../../test/harness/dying-context.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { Context } from '../../platform/database/context.ts';
import { moveFileLoading } from './moves.ts';

/* Files of a move that staff upload: they come in in the background, also when its process dies. */

const service = await startTestService();
afterAll(() => service.close());
const { context } = service;
const octets = { headers: { 'content-type': 'application/octet-stream' } };

async function movingShop() {
  const shop = await createTestShop(context, { products: [] });
  const owner = await service.staff(shop);
  await owner.call('POST', '/staff/v1/move', { till: 'Corner till' });
  const upload = (kind: string, fileName: string, content: string | Buffer, more = '') =>
    owner.call(
      'POST',
      `/staff/v1/move/files?kind=${kind}&fileName=${fileName}${more}`,
      Buffer.from(content),
      octets,
    );
  const shown = async () => (await owner.call('GET', '/staff/v1/move')).data;
  return { shop, owner, upload, shown };
}

/** Does what the uploaded files wait for, as a worker would. */
async function work({ organizationId }: TestShop, given: Context = context): Promise<void> {
  const rows = await tenantSql(
    context.database,
    organizationId,
    `select id from move_files where status = 'loading'`,
  );
  for (const { id } of rows) {
    await moveFileLoading(given).run({
      ...{ organization: organizationId, payload: { moveFileId: Number(id) } },
      signal: new AbortController().signal,
    });
  }
}

const header = 'firstName,lastName,email,formerId,points,emailOptIn';
/** More than one part, with some that are refused. */
const people = Array.from({ length: 250 }, (_, at) =>
  at % 97 === 7
    ? `Ada,Quill,ada${at}@customers.example.com,${at},many,true`
    : `Ada,Quill,ada${at}@customers.example.com,${at},${at},true`,
);
const file = `${header}\n${people.join('\n')}\n`;

async function loaded(dying: number | null) {
  const { shop, upload, shown } = await movingShop();
  const { status, data } = await upload('customers', 'people.csv', file);
  expect([status, data.status]).toEqual([201, 'loading']);
  if (dying !== null)
    await expect(work(shop, dyingAt(context, dying))).rejects.toThrow('the process is gone');
  await work(shop);
  const { move, uploads } = await shown();
  const [{ id, createdAt, created, known, ...upload_ }] = uploads;
  const [{ loadedAt, created: makes, known: knows, ...noted }] = move.files;
  expect([created, known]).toEqual([makes, knows]);
  const [kept] = await tenantSql(
    context.database,
    shop.organizationId,
    `select (select count(*)::int from customers) as people, (select sum(points)::text from loyalty_balances) as points,
            (select count(*)::int from move_files where content is not null) as contents`,
  );
  return { upload: upload_, noted, kept, came: created + known };
}

const whole = await loaded(null);

test('an uploaded file comes in: refused rows are told by line, column and text, and nothing of it stays', () => {
  expect(whole).toMatchObject({
    came: 247,
    upload: { status: 'done', progress: 100, read: 250, refused: 3, failure: null },
    noted: { kind: 'customers', name: 'people.csv', read: 250, refused: 3 },
    kept: { people: 247, points: whole.noted.points, contents: 0 },
  });
  expect(whole.upload.problems[0]).toEqual({
    ...{ line: 9, column: 'points' },
    message: 'must be a number, such as 120 or 1,240.50, not "many"',
  });
});

test.each([0, 1, 3, 4, 5])(
  'a load whose process dies at write %i goes on where it was, and ends as one that did not',
  async (write) => {
    expect(await loaded(write)).toEqual(whole);
  },
);

test('a trial says what would come in, and writes nothing; an unreadable file is refused with the reason', async () => {
  const { shop, upload, shown } = await movingShop();
  await upload('customers', 'people.csv', file, '&dryRun=true');
  const early = await upload('customers', 'more.csv', file);
  expect([early.status, early.error?.code]).toEqual([409, 'MOVE_NOT_READY']);
  await work(shop);
  const tried = await shown();
  expect(tried.uploads).toMatchObject([{ dryRun: true, status: 'done', created: 247, refused: 3 }]);
  expect(tried.move.files).toEqual([]);
  expect(await tenantSql(context.database, shop.organizationId, 'select from customers')).toEqual([]);
  const none = await upload('customers', 'people.json', '{"people": 7}');
  expect([none.error?.code, none.error?.message]).toEqual([
    'INVALID_MENU_FILE',
    expect.stringContaining('a list'),
  ]);
  expect((await upload('customers', 'people.xlsx', file)).error?.message).toContain('save the sheet');
});

test('a whole move is loaded by its owner: the checks are those of the operator’s commands', async () => {
  const { shop, owner, upload, shown } = await movingShop();
  for (const [kind, name] of [
    ['products', 'inventory-valuation.csv'],
    ['packages', 'inventory-valuation.csv'],
    ['vendors', 'inventory-valuation.csv'],
    ['staff', 'staff.csv'],
    ['customers', 'members.json'],
    ['discounts', 'promotion-uses.csv'],
    ['state', 'state-grid.csv'],
  ] as const) {
    await upload(kind, name, readFileSync(join('docs/examples/moves', name)));
    await work(shop);
  }
  const { move, uploads } = await shown();
  expect(
    uploads.map(({ status, refused }: { status: string; refused: number }) => [status, refused]),
  ).toEqual(Array.from({ length: 7 }, () => ['done', 0]));
  expect(move.files).toHaveLength(7);
  const { data } = await owner.call('POST', '/staff/v1/move/checks');
  const results = Object.fromEntries(
    data.checks.map(({ check, result }: { check: string; result: string }) => [check, result]),
  );
  expect(results).toMatchObject({
    ...{ rows: 'passed', tags: 'passed', quantities: 'passed', 'stock-value': 'passed', prices: 'passed' },
    ...{
      customers: 'passed',
      points: 'passed',
      consent: 'passed',
      'day-totals': 'missing',
      closings: 'missing',
    },
  });
});
