import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import '../../src/app/app.ts';
import '../../src/app/background.ts';
import { workKinds } from '../../src/app/work-kinds.ts';
import { retainedKindNames } from '../../src/hosting/retention/retention.ts';
import { servingDeadlines } from '../../src/platform/connections/deadlines.ts';
import { forDistributed } from '../../src/platform/connections/for-distributed.ts';
import { sessionConfig } from '../../src/platform/connections/session-settings.ts';
import { registeredStatements } from '../../src/platform/statements/statement.ts';

/*
 * `npm run test:citus`, with the DATABASE_URL of a coordinator whose database is distributed: explains every statement of a tenant,
 * each with values that any of its kind could have. Nothing is run.
 */

const connection = {
  connectionString: process.env.DATABASE_URL!,
  options: '-c role=dispensary_app',
  isDistributed: true,
};
/** Those of the program: files that ran before in this worker have statements of their own. */
const statements = () => [...registeredStatements()].filter(([name]) => !name.startsWith('test_'));
const client = new Client(sessionConfig(connection, { ...servingDeadlines, roundTripMs: 600_000 }));
beforeAll(() => client.connect());
afterAll(() => client.end());

/** A value of each type; other types take 1. Arrays are empty. */
const samples: Readonly<Record<string, string>> = {
  bytea: `'\\x00'`,
  uuid: `'00000000-0000-0000-0000-000000000001'`,
  boolean: 'true',
  text: `'2026-01-01T00:00:00Z'`,
  jsonb: `'[]'`,
  json: `'[]'`,
  'timestamp with time zone': `'2026-01-01T00:00:00Z'`,
  date: `'2026-01-01'`,
  'time without time zone': `'04:00'`,
};

function sampleOf(type: string): string {
  return type.endsWith('[]') ? `'{}'::${type}` : `${samples[type] ?? '1'}::${type}`;
}

const tenantCompared = /\b(?:organization_id|o\.id) = (\$\d+)/;

/** What the coordinator does for a statement; with `nothing`, every value but the organization is null. */
async function planOf(name: string, usual: string, gives?: 'nothing'): Promise<string> {
  const { text } = forDistributed({ name, text: usual, values: [''] });
  await client.query('begin');
  try {
    await client.query(`set local app.organization_id = '1'`);
    await client.query(`prepare "${name}" as ${text}`);
    const { rows } = await client.query(
      `select parameter_types::text[] as types from pg_prepared_statements where name = $1`,
      [name],
    );
    const tenant = tenantCompared.exec(text)?.[1];
    const values = (rows[0].types as string[])
      .map((type, at) => (gives === 'nothing' && tenant !== `$${at + 1}` ? `null::${type}` : sampleOf(type)))
      .join(', ');
    const explained = await client.query(
      `explain (costs off) execute "${name}"${values === '' ? '' : `(${values})`}`,
    );
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
    if (tasks.some((count) => count !== '1')) return `tasks: ${tasks.join(', ')}`;
    if (plan.includes('Distributed Subplan')) return 'one server, in steps';
    return tasks.length === 1 ? 'one task' : 'on the coordinator';
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

/** They touch no distributed table: locks of an organization, jobs, and the beginning of a transaction. */
const onCoordinator = [
  'add_jobs',
  'lock_discount_setup',
  'lock_menu_imports',
  'lock_offline_limits',
  'lock_offline_register',
  'lock_offline_sale',
  'lock_product_import',
  'lock_program_setup',
  'lock_tag_names',
  'write_together',
];

/** That server takes the steps of a `with` that writes. */
const inSteps = [
  'begin_audit_chain',
  'claim_option_external_ids',
  'claim_product_external_id',
  'count_some_events',
  'fold_book_changes',
  'insert_api_request_batch',
  'lock_explanation_mark',
  'remember_merge',
  'replace_content_doubts',
];

/** For the owner of the tables. */
const refused = ['prune_former_organization'];

test('every statement of a tenant goes to one server', async () => {
  const plans = new Map<string, string[]>();
  for (const [name, { text, usesTenant, onDistributed }] of statements()) {
    const isSetting = text.startsWith('select set_config(');
    if (!usesTenant || isSetting) continue;
    const plan = await planOf(name, onDistributed ?? text);
    plans.set(plan, [...(plans.get(plan) ?? []), name]);
  }
  const named = (plan: string) => (plans.get(plan) ?? []).toSorted();
  expect.soft(named('one task').length).toBeGreaterThan(2_000);
  expect.soft(named('on the coordinator')).toEqual(onCoordinator);
  expect.soft(named('one server, in steps')).toEqual(inSteps);
  const others = [...plans].filter(([plan]) => plan.includes(':'));
  expect(others.flatMap(([plan, names]) => names.map((name) => `${name}: ${plan}`)).toSorted()).toEqual(
    refused.map((name) => expect.stringMatching(`^${name}: refused`)),
  );
});

/** They are always given: the rows to write, the customer, the type of an order, and where a list of orders stands. */
const alwaysGiven = [
  'list_orders_',
  'ensure_product_stocks',
  'hold_places_for_goods',
  'keep_order_shown_rows',
  'lock_explanation_mark',
  'select_places_for_goods',
  'select_spent_discounts',
  'take_unsummed_changes',
];

test('a value that is not given sends no statement to several servers', async () => {
  const others: string[] = [];
  for (const [name, { text, usesTenant, onDistributed }] of statements()) {
    if (!usesTenant || !tenantCompared.test(text) || alwaysGiven.some((start) => name.startsWith(start)))
      continue;
    const plan = await planOf(name, onDistributed ?? text, 'nothing');
    // Without one, nothing is found.
    if (plan.includes(':') && plan !== 'tasks: 0') others.push(`${name}: ${plan}`);
  }
  expect(others.toSorted()).toEqual([]);
});

test('no write says `case a when b`: the other servers would get `case a when a = b`', () => {
  const others = statements().filter(
    ([, { text, usesTenant }]) => usesTenant && /\b(?:update|insert)\b.*\bcase (?!when\b)/s.test(text),
  );
  expect(others.map(([name]) => name)).toEqual([]);
});

/** Its `select` of what it inserts is one that the other servers take. */
const insertsSelected = ['note_product_searches'];

test('no trigger inserts what a select among its values gives: the other servers refuse it when it runs', async () => {
  const { rows } = await client.query(
    `select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc ~* 'insert into [^;]*\\(\\s*select' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(insertsSelected);
});

/** What a distributed database refuses of a statement, in itself or in a function that it calls. */
const isRefusal = (code: string | undefined) => code?.startsWith('0A') || code?.startsWith('42');

const stores = ['documents', 'photos'];
/** Statements whose function does something else for each value of the first parameter. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  select_organizations_with_work: workKinds,
  select_retention_backlog: retainedKindNames,
  note_stray_files: stores,
  select_files_without_rows: stores,
};

test('what the owner asks of all organizations is understood', async () => {
  const owner = new Client(
    sessionConfig({ ...connection, options: '' }, { ...servingDeadlines, roundTripMs: 600_000 }),
  );
  await owner.connect();
  const others: string[] = [];
  try {
    for (const [name, { text, usesTenant }] of statements()) {
      if (usesTenant || /set_config|^(?:begin|commit|rollback|set|lock|select pg_)/.test(text)) continue;
      await owner.query('begin');
      try {
        await owner.query(`prepare "${name}" as ${text}`);
        const { rows } = await owner.query(
          'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
          [name],
        );
        const types = rows[0].types as string[];
        for (const kind of kindsOf[name] ?? [undefined]) {
          const values = types
            .map((type, at) => (at === 0 && kind ? `'${kind}'` : sampleOf(type)))
            .join(', ');
          await owner.query(`execute "${name}"${values === '' ? '' : `(${values})`}`);
        }
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (isRefusal(code)) others.push(`${name}: ${code} ${message}`);
      } finally {
        await owner.query('rollback');
        await owner.query('deallocate all');
      }
    }
  } finally {
    await owner.end();
  }
  expect(others.toSorted()).toEqual([]);
});
