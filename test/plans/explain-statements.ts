import { Client, escapeLiteral } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { declaredEndpoints, listRequests } from '../../bench/list-requests.ts';
import { ListRows } from '../../bench/list-rows.ts';
import { type RecordedStatement, StatementRecorder } from '../../bench/recorded-statements.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { servingDeadlines } from '../../src/platform/connections/deadlines.ts';
import { sessionConfig } from '../../src/platform/connections/session-settings.ts';
import { registeredStatements } from '../../src/platform/statements/statement.ts';
import { send, validRequest } from '../contract/contract-world.ts';
import { createStaffTenant, memberOf, sendAs, staffRequest } from '../contract/staff-world.ts';
import { onDatabase } from '../harness/test-connection.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { knownReason } from './known-reads.ts';
import { type ReadCost, readCostOf, readsTooMuch } from './read-cost.ts';

/*
 * `npm run plans [-- --rows=1000000]`: takes a shop of the contract tests, copies its rows up to a million in each table that
 * grows, a tenth as many packages and goods, sends every operation and two pages of every list with every filter, and explains each
 * read that was sent, with the values of the request. Fails for those that read more than a hundred times what they answer, unless
 * known-reads.ts has the reason.
 */
const rowCount = Number(process.env.PLANS_ROWS ?? 1_000_000);
/** Packages, goods and what belongs to them. */
const tenthTables = [
  ...['packages', 'package_amounts', 'package_searches', 'package_changes', 'stock_balances', 'products'],
  ...[
    'product_options',
    'product_searches',
    'product_texts',
    'product_photos',
    'sub_category_products',
    'compliance_transfers',
    'inventory_vendors',
  ],
];
/** Kinds of values of a statement that are explained. */
const valuesMax = 12;

const recorder = new StatementRecorder();
const service = await startOwnTestService({ clock: new ManualClock(Date.now()) });
afterAll(() => service.close());
const { admin } = inject('server');
const connection = onDatabase(admin, String(service.database.owner.database));

const note = (text: string): void => console.error(text);

test('no read of the product reads more than a hundred times what it answers', async () => {
  const tenant = await createStaffTenant(service, { alsoIntegrators: true });
  const { shop } = tenant;
  const rows = await ListRows.open(connection, { id: shop.organizationId, clientKey: shop.keys.clientKey });
  await rows.growTo(rowCount / 10, tenthTables, (table) => note(`${table} …`));
  await rows.growTo(
    rowCount,
    [...rows.tables].filter((table) => !tenthTables.includes(table)),
    (table) => note(`${table} …`),
  );
  const sent = new Map<string, RecordedStatement[]>();
  const refused: string[] = [];
  const keep = async (
    name: string,
    work: () => Promise<{ readonly status: number; readonly text: string }>,
  ): Promise<string> => {
    let status = 0;
    let text = '';
    const batches = await recorder.record(async () => {
      try {
        ({ status, text } = await work());
      } catch (error) {
        [status, text] = [500, String(error)];
      }
    });
    if (status >= 500 || (status >= 400 && !name.includes(',')))
      refused.push(`${name}: ${status} ${text.slice(0, 120)}`);
    for (const statement of batches.flat()) {
      const kept = sent.get(statement.name) ?? [];
      sent.set(statement.name, kept);
      const isNew = !kept.some(({ values }) => JSON.stringify(values) === JSON.stringify(statement.values));
      if (isNew && kept.length < valuesMax) kept.push(statement);
    }
    return text;
  };

  // A test shop has no value of some kinds.
  const value = (sql: string): Promise<string> => rows.value(sql).catch(() => '1');
  const requests = await listRequests(declaredEndpoints(), { value });
  const { token } = await memberOf(service, tenant);
  const headers = { authorization: `Bearer ${token}` };
  for (const [at, { name, path, audience }] of requests.entries()) {
    if (at % 200 === 0) note(`list ${at} of ${requests.length} …`);
    const ask = (further: string) => () =>
      service.call('GET', `${path}${further}`, audience === 'staff' ? { headers } : { keys: shop.keys });
    const cursor = lastIdOf(await keep(name, ask('')));
    const further = `${path.includes('?') ? '&' : '?'}startingAfter=${cursor}`;
    if (cursor !== null) await keep(`${name}, second page`, ask(further));
  }
  // What the operations need to be accepted: products on the menu, and room for one document more.
  await rows.value(
    'with shown as (update products set is_active = true where organization_id = $1 and id < 1000000) select $1::int',
  );
  await rows.value(
    `with quota as (insert into file_quotas (organization_id, kind, files_max) values ($1, 'documents', ${2 * rowCount})
       on conflict (organization_id, kind) do update set files_max = excluded.files_max) select $1::int`,
  );
  for (const endpoint of service.endpoints) {
    await keep(endpoint.id, () =>
      send(service, endpoint, validRequest(endpoint, tenant), { keys: shop.keys }),
    );
  }
  for (const endpoint of service.staffEndpoints) {
    // What ends the session of the member who asks comes with a session of its own.
    const member = await service.staff(shop);
    await keep(endpoint.id, async () =>
      sendAs(service, member, endpoint, await staffRequest(service, endpoint, tenant)),
    );
  }
  await rows.close();
  if (refused.length > 0) note(`Refused:\n${refused.map((line) => `- ${line}`).join('\n')}`);

  const costs = await explainAll(shop.organizationId, sent);
  const all = [...registeredStatements()].filter(([, { text }]) => isRead(text)).map(([name]) => name);
  const never = all.filter((name) => !sent.has(name));
  const tooMuch = costs.filter(([name, cost]) => readsTooMuch(cost) && knownReason(name, cost) === undefined);
  console.log('| statement | rows read | rows answered | blocks | mostly of | |');
  console.log('| --- | ---: | ---: | ---: | --- | --- |');
  for (const [name, cost] of costs.filter(([, cost]) => cost.read > 1_000 || readsTooMuch(cost))) {
    const { read, answered, blocks, tables } = cost;
    const most = tables.slice(0, 2).map(([table, count]) => `${table} ${count}`);
    console.log(
      `| ${name} | ${read} | ${answered} | ${blocks} | ${most.join(', ')} | ${remarkOn(name, cost)} |`,
    );
  }
  console.log(
    `\n${costs.length} reads of ${all.length} explained; ${tooMuch.length} read more than a hundred times what they answer, without a reason in known-reads.ts.`,
  );
  console.log(`Not sent by any request: ${never.join(', ')}`);
  expect(tooMuch.map(([name]) => name)).toEqual([]);
});

/** The id of the last row of a page; null: it has none. Lists with another cursor refuse it. */
function lastIdOf(page: string): string | number | null {
  const { data } = page.startsWith('{"data":[')
    ? (JSON.parse(page) as { data: { id?: string | number }[] })
    : { data: [] };
  return data.at(-1)?.id ?? null;
}

const isRead = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert into|update \w+ |delete from|nextval)\b/i.test(text);

/** The dearest of the values of each read. */
async function explainAll(
  organization: number,
  sent: ReadonlyMap<string, readonly RecordedStatement[]>,
): Promise<(readonly [name: string, cost: ReadCost])[]> {
  const serving = new Client({
    ...sessionConfig(onDatabase(service.database.serving, String(service.database.serving.database)), {
      ...servingDeadlines,
      longRoundTripMs: 600_000,
      roundTripMs: 600_000,
    }),
  });
  await serving.connect();
  const costs: (readonly [string, ReadCost])[] = [];
  let at = 0;
  for (const [name, statements] of sent) {
    if (name === '' || !isRead(statements[0]!.text)) continue;
    if (at++ % 100 === 0) note(`explaining ${at} …`);
    const found: ReadCost[] = [];
    await serving.query(`prepare "${name}" as ${statements[0]!.text}`);
    for (const { values } of statements) {
      await serving.query('begin');
      try {
        await serving.query(`select set_config('app.organization_id', $1, true)`, [String(organization)]);
        const given = values.length === 0 ? '' : `(${values.map((value) => literal(value)).join(', ')})`;
        const { rows } = await serving.query(
          `explain (analyze, buffers, timing off, format json) execute "${name}"${given}`,
        );
        found.push(readCostOf(rows[0]['QUERY PLAN']));
      } catch (error) {
        note(`${name}: ${(error as Error).message}`);
      }
      await serving.query('rollback');
    }
    await serving.query(`deallocate "${name}"`);
    const dearest = found.sort(
      (a, b) => b.read / Math.max(b.answered, 1) - a.read / Math.max(a.answered, 1),
    )[0];
    if (dearest !== undefined) costs.push([name, dearest]);
  }
  await serving.end();
  return costs.sort(([, a], [, b]) => b.read - a.read);
}

function remarkOn(name: string, cost: ReadCost): string {
  return readsTooMuch(cost) ? (knownReason(name, cost) ?? '**reads too much**') : '';
}

/** A value of `execute`: PostgreSQL gives it the type of the parameter. */
function literal(value: RecordedStatement['values'][number]): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return escapeLiteral(value);
  const items = value.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return escapeLiteral(`{${items.join(',')}}`);
}
