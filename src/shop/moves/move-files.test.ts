import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dyingAt } from '../../../test/harness/dying-context.ts';
import { runMoveJobs } from '../../../test/harness/run-move-jobs.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { organizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { moveFilePieceBytes } from './move-file-content.ts';

/* Files of a move that staff upload: they come in in the background, also when its process dies. */

const service = await startTestService();
afterAll(() => service.close());
const { context } = service;
const octets = { headers: { 'content-type': 'application/octet-stream' } };

async function movingShop() {
  const shop = await createTestShop(context, { products: [] });
  const owner = await service.staff(shop);
  await owner.call('POST', '/staff/v1/move', { till: 'Corner till' });
  const send = (kind: string, fileName: string, content: string | Buffer) =>
    owner.call(
      'POST',
      `/staff/v1/move/files?kind=${kind}&fileName=${fileName}`,
      Buffer.from(content),
      octets,
    );
  const run = (id: number, dryRun = false) =>
    owner.call('POST', `/staff/v1/move/files/${id}/runs`, { dryRun });
  const upload = async (kind: string, fileName: string, content: string | Buffer, dryRun = false) =>
    run((await send(kind, fileName, content)).data.id, dryRun);
  const shown = async () => (await owner.call('GET', '/staff/v1/move')).data;
  return { shop, owner, send, run, upload, shown };
}

/** Tells what each read answers. */
function withReads(database: Context['database'], tell: (rows: readonly Record<string, unknown>[]) => void) {
  return new Proxy(database, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'read') return member.bind(target);
      return async (...given: unknown[]) => {
        const answers = await member.apply(target, given);
        for (const rows of answers) tell(rows);
        return answers;
      };
    },
  });
}

const work = ({ organizationId: id }: TestShop, given: Context = context) => runMoveJobs(given, id);

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
  expect([status, data.status]).toEqual([200, 'loading']);
  if (dying !== null)
    await expect(work(shop, dyingAt(context, dying))).rejects.toThrow('the process is gone');
  await work(shop);
  const { move, uploads } = await shown();
  const [{ id, createdAt, updatedAt, created, known, ...upload_ }] = uploads;
  const [{ loadedAt, created: makes, known: knows, ...noted }] = move.files;
  expect([created, known]).toEqual([makes, knows]);
  const [kept] = await tenantSql(
    context.database,
    shop.organizationId,
    `select (select count(*)::int from customers) as people, (select sum(points)::text from loyalty_balances) as points,
            (select count(*)::int from move_files where status = 'loading') as loading`,
  );
  return { upload: upload_, noted, kept, came: created + known };
}

const whole = await loaded(null);

test('an uploaded file comes in: refused rows are told by line, column and text, and nothing of it stays', () => {
  expect(whole).toMatchObject({
    came: 247,
    upload: { status: 'done', progress: 100, read: 250, refused: 3, failure: null },
    noted: { kind: 'customers', name: 'people.csv', read: 250, refused: 3 },
    kept: { people: 247, points: whole.noted.points, loading: 0 },
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
  const { shop, send, upload, shown } = await movingShop();
  await upload('customers', 'people.csv', file, true);
  const early = await upload('customers', 'more.csv', file);
  expect([early.status, early.error?.code]).toEqual([409, 'MOVE_NOT_READY']);
  await work(shop);
  const tried = await shown();
  expect(tried.uploads).toMatchObject([
    { name: 'more.csv', status: 'ready', run: null },
    { run: 'check', status: 'done', created: 247, refused: 3 },
  ]);
  expect(tried.move.files).toEqual([]);
  expect(await tenantSql(context.database, shop.organizationId, 'select from customers')).toEqual([]);
  const none = await send('customers', 'people.json', '{"people": 7}');
  expect([none.error?.code, none.error?.message]).toEqual([
    'INVALID_MENU_FILE',
    expect.stringContaining('a list'),
  ]);
  expect((await send('customers', 'people.xlsx', file)).error?.message).toContain('save the sheet');
});

test('a file of any size is read from the database a piece at a time, also to look into it', async () => {
  const { shop, owner, upload, shown } = await movingShop();
  const uses = Math.ceil((2.5 * moveFilePieceBytes) / 202);
  const uploaded = await upload(
    'discounts',
    'uses.csv',
    `name\n${`${'d'.repeat(200)}\n`.repeat(uses)}`,
    true,
  );
  const read: number[] = [];
  await work(shop, {
    ...context,
    database: withReads(context.database, (rows) => {
      for (const row of rows) if (Buffer.isBuffer(row.piece)) read.push(row.piece.length);
    }),
  });
  expect(Math.max(...read)).toBe(moveFilePieceBytes);
  const [{ status, read: rows, refused }] = (await shown()).uploads;
  expect({ status, rows, refused }).toEqual({ status: 'done', rows: uses, refused: 0 });
  const look = await owner.call('GET', `/staff/v1/move/files/${uploaded.data.id}/look`);
  expect(look.data.columns).toEqual([{ name: 'name', samples: ['d'.repeat(200)] }]);
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

/** As a till exports it, in the order in which a shop may upload it. */
const exports = [
  ['state', 'state-grid.csv'],
  ['sales', 'ticket-lines.csv'],
  ['customers', 'members.json'],
  ['packages', 'inventory-valuation.csv'],
  ['products', 'inventory-valuation.csv'],
] as const;

test('a trial loads every file into a sandbox and makes the checks there; nothing of the shop changes', async () => {
  const { shop, owner, send, shown } = await movingShop();
  const witness = async () =>
    tenantSql(
      context.database,
      shop.organizationId,
      `select (select count(*)::int from products) as products, (select count(*)::int from customers) as customers,
              (select count(*)::int from packages) as packages, (select count(*)::int from former_sales) as sales,
              (select count(*)::int from inventory_locations) as locations, (select max(id)::text from moves) as move`,
    );
  for (const [kind, name] of exports) {
    const text = readFileSync(join('docs/examples/moves', name), 'utf8');
    // Sold before the clock of the tests.
    await send(kind, name, kind === 'sales' ? text.replaceAll('/2026', '/2025') : text);
  }
  const before = await witness();
  const begun = await owner.call('POST', '/staff/v1/move/trial');
  expect([begun.status, begun.data.trial]).toMatchObject([202, { files: [], checks: [], checkedAt: null }]);
  const twice = await owner.call('POST', '/staff/v1/move/trial');
  expect([twice.status, twice.error?.code]).toEqual([409, 'MOVE_NOT_READY']);
  // The process dies again and again; the next one goes on where it was.
  for (const write of [2, 4, 7]) {
    await expect(work(shop, dyingAt(context, write))).rejects.toThrow('the process is gone');
  }
  await work(shop);
  const { move, uploads } = await shown();
  expect(uploads.map((it: Record<string, unknown>) => [it.run, it.status, it.refused])).toEqual(
    exports.map(() => ['trial', 'done', 0]),
  );
  expect(move.files).toEqual([]);
  expect(move.trial.files.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...['products', 'packages', 'customers', 'sales', 'state'],
  ]);
  const results = Object.fromEntries(
    move.trial.checks.map(({ check, result }: { check: string; result: string }) => [check, result]),
  );
  expect(move.trial.checkedAt).not.toBeNull();
  expect(results).toMatchObject({
    ...{ rows: 'passed', tags: 'passed', quantities: 'passed', 'stock-value': 'passed', prices: 'passed' },
    ...{ customers: 'passed', points: 'passed', 'day-totals': 'passed', closings: 'missing' },
  });
  expect(await witness()).toEqual(before);
  // No key opens the sandbox: it has an end from the beginning.
  const [{ sandbox }] = (await tenantSql(
    context.database,
    shop.organizationId,
    'select trial_organization_id::int as sandbox from moves',
  )) as [{ sandbox: number }];
  const standing = () =>
    tenantSql(
      context.database,
      organizationId(sandbox),
      'select name, suspended_because, ends_at <= to_timestamp($1::double precision / 1000) as is_over from organizations where id = current_organization_id()',
      context.clock.now(),
    );
  expect(await standing()).toMatchObject([{ suspended_because: 'ending', is_over: false }]);
  await owner.call('POST', '/staff/v1/move/steps', { step: 'cancel' });
  expect((await shown()).uploads.map((it: { hasContent: boolean }) => it.hasContent)).toEqual(
    exports.map(() => false),
  );
});

test('the columns of a file are shown with samples, corrected, and read as the mapping file of the command says', async () => {
  const { shop, owner, send, run, shown } = await movingShop();
  const { data: sent } = await send(
    'customers',
    'list.csv',
    'Nr,Vorname,Name,Mail,Punkte\n7,Ada,Quill,ada@customers.example.com,"1,204"\n',
  );
  expect(sent).toMatchObject({ status: 'ready', mapping: null });
  const path = `/staff/v1/move/files/${sent.id}`;
  const { data: look } = await owner.call('GET', `${path}/look`);
  expect(look).toMatchObject({
    profile: null,
    meanings: expect.arrayContaining([
      { field: 'formerId', rules: [{ field: 'formerId' }] },
      { field: 'birthday', rules: [{ field: 'birthday', convert: 'any-date' }] },
    ]),
  });
  expect(look.columns).toContainEqual({ name: 'Vorname', samples: ['Ada'] });
  const fields = { Nr: 'formerId', Vorname: 'firstName', Name: 'lastName', Mail: 'email', Punkte: 'points' };
  const mapping = {
    ...{ preset: 'flat-variants', constants: [] },
    columns: Object.entries(fields).map(([column, field]) => ({ column, rules: [{ field }] })),
  };
  const wrong = { ...mapping, columns: [{ column: 'Nr', rules: [{ field: 'price' }] }] };
  const refused = await owner.call('PUT', `${path}/mapping`, { mapping: wrong });
  expect([refused.error?.code, refused.error?.message]).toEqual([
    'INVALID_PARAMS',
    expect.stringContaining('price is not a field'),
  ]);
  const saved = await owner.call('PUT', `${path}/mapping`, { mapping });
  expect(saved.data.mapping).toEqual(mapping);
  await run(sent.id);
  await work(shop);
  expect((await shown()).uploads).toMatchObject([{ status: 'done', created: 1, refused: 0 }]);
  expect(
    await tenantSql(
      context.database,
      shop.organizationId,
      'select former_id, points::text as points from former_customers',
    ),
  ).toEqual([{ former_id: '7', points: '1204' }]);
  expect((await owner.call('PUT', '/staff/v1/move/files/1/mapping', { mapping })).error?.code).toBe(
    'MOVE_FILE_NOT_FOUND',
  );
});
