import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import '../../src/app/app.ts';
import '../../src/hosting/law/law-editions.ts';
import { linkAuditEntries } from '../../src/platform/events/audit-chain.ts';
import { registeredStatements, writtenRowTypes } from '../../src/platform/statements/statement.ts';
import { pruneExplanations } from '../../src/shop/orders/orders.ts';
import { termsLease } from '../../src/shop/settings/terms-of-sale.ts';
import { moveIn } from '../harness/move-in.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { startTestService } from '../harness/test-service.ts';
import { pickupBody } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { makeExternal } from './contract-world.ts';
import { createStaffTenant, endsItsSession, importMenu, sendAs, staffRequest } from './staff-world.ts';

const service = await startTestService();
const home = await createStaffTenant(service);
const stranger = await createStaffTenant(service);
// Requests of staff fill further tables.
for (const tenant of [home, stranger]) {
  const owner = await service.staff(tenant.shop);
  for (const endpoint of service.staffEndpoints) {
    if (!['POST', 'PUT'].includes(endpoint.method)) continue;
    const sender = endsItsSession.has(endpoint.id) ? await service.staff(tenant.shop) : owner;
    await sendAs(service, sender, endpoint, await staffRequest(service, endpoint, tenant));
  }
  await owner.call('POST', '/staff/v1/discounts', {
    ...{ name: 'Welcome', kind: 'order', type: 'percent', amount: 10, trigger: 'code', codes: ['HELLO'] },
    ...{ usesTotal: 5, usesPerCustomer: 2 },
  });
  // An ounce whose content is a gram, made by a request with an idempotency key.
  const doubtful = {
    ...{
      name: 'Schema Haze',
      description: '',
      unit: 'item',
      strainType: 'hybrid',
      category: 'Flower',
      subCategories: [],
    },
    ...{ photos: [], options: [{ name: '1 oz', amount: 1, price: 20_000, content: '1' }] },
  };
  const made = await owner.call('POST', '/staff/v1/products', doubtful, {
    headers: { 'idempotency-key': 'schema-haze' },
  });
  expect(made.status).toBe(201);
  const ruled = await owner.call('PATCH', '/staff/v1/sign-in-rules', { refundProofAbove: 50_000 });
  expect(ruled.status).toBe(200);
  await tenantSql(
    service.context.database,
    tenant.shop.organizationId,
    `insert into staff_identities (organization_id, issuer, subject, staff_id, linked_at)
     values (current_organization_id(), 'https://login.example.com', 'one', $1, '2026-01-01')`,
    owner.staffId,
  );
  // What only a provider's and a state's own reply bring.
  for (const text of [
    `insert into payment_settlement_lines
       (organization_id, payment_connection_id, day, position, reference, kind, amount_cents, fee_cents, created_at)
     select organization_id, id, '2026-01-01', 1, 'pay-1', 'payment', 100, 1, '2026-01-02' from payment_connections limit 1`,
    `insert into state_filed_rows (organization_id, connection_id, file, row_id, pending, updated_at)
     select organization_id, id, 'Area', 'area-1', '{}', '2026-01-01' from state_connections limit 1`,
    `insert into state_trips (organization_id, connection_id, state_record_id, is_void, is_completed, lines, read_at)
     select organization_id, id, 1, false, false, '[]', '2026-01-01' from state_connections limit 1`,
  ]) {
    await tenantSql(service.context.database, tenant.shop.organizationId, text);
  }
  await makeExternal(service, tenant.shop);
  await importMenu(service, tenant.shop, owner);
  await moveIn(service.context, tenant.shop.organizationId);
  const body = pickupBody(tenant.shop, {
    lineItems: [{ productOptionId: tenant.shop.optionId('tray'), quantity: 2 }],
    discountCodes: ['HELLO'],
  });
  const placed = await service.call('POST', '/api/v1/orders', { keys: tenant.shop.keys, body });
  expect(placed.error).toBeUndefined();
}
const witness = await openWitness(service.database);
const serving = new Client(service.database.serving);
await serving.connect();
afterAll(async () => {
  await serving.end();
  await witness.end();
  await service.close();
});

/** Tables that belong to no organization, and why. */
const globalTables: Readonly<Record<string, string>> = {
  integrators: 'an integrator works for many organizations',
  consumer_key_digests: 'finds the integrator of a key; digests only',
  client_key_digests: 'finds the organization of a key, before one is known; digests only',
  staff_session_digests: 'the same of a session',
  staff_email_digests: 'finds the accounts of an email, before an organization is known; digests only',
  staff_invitations: 'finds whom a one-time link is for, before an organization is known; digests only',
  staff_half_sign_ins:
    'finds whom the token between password and second factor is for, before an organization is known; digests only',
  staff_passkey_challenges:
    'what an authenticator has to sign, of a sign-in before an organization is known; digests only',
  staff_identity_sign_ins:
    'finds which organization a browser signs in to by its identity provider, before one is known; digests only',
  staff_devices:
    'tells a browser that staff have signed in with, before an organization is known; digests only',
  webhook_organizations:
    'finds the organizations that have webhook endpoints, before one is entered; ids only',
  law_editions: 'the law is the same for all organizations of a state; only the operator writes it',
  law_releases: 'the law is the same for all organizations of a state; only a start as the owner writes it',
  stray_files: 'a photo may be that of several organizations; only the owner of the tables uses it',
  rate_limits: 'an attempt to sign in is counted before an organization is known; digests only',
  schema_migrations: "the schema's own record; the server cannot read it",
};

/** An organization's own row has its id where others have organization_id. */
const organizationColumn = (table: string): string => (table === 'organizations' ? 'id' : 'organization_id');

/** Statements over all organizations, and why. */
const operatorStatements: Readonly<Record<string, string>> = {
  select_all_organizations: "the operator's list; finds nothing with the rights of the serving role",
};

/** The organization is in each token, which is made of it and of a text. */
const indexesByToken: readonly string[] = ['product_searches_by_token', 'package_searches_by_token'];

const appendOnlyTables = [
  'stock_ledger_entries',
  'audit_entries',
  'audit_links',
  'loyalty_events',
  'purchase_order_receptions',
  'purchase_order_payments',
  'order_return_lines',
  'order_return_taxes',
];

interface TableFacts {
  readonly name: string;
  readonly rls: boolean;
  readonly forced: boolean;
  readonly columns: readonly string[];
}

const tables: TableFacts[] = await witness.query(
  `select c.relname as name, c.relrowsecurity as rls, c.relforcerowsecurity as forced,
          (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
);
const tenantTables = tables.filter(({ name }) => !(name in globalTables));

describe('every table', () => {
  test('belongs to an organization, or is listed here as an exception', () => {
    expect(tenantTables.length).toBeGreaterThan(25);
    for (const { name, columns } of tenantTables) {
      expect([name, columns.includes(organizationColumn(name))]).toEqual([name, true]);
    }
    const names = tables.map(({ name }) => name);
    for (const name of Object.keys(globalTables)) expect(names).toContain(name);
  });

  test.each(tenantTables.map((table) => [table.name, table] as const))(
    '%s stands behind the wall for reading and writing, also for its owner',
    async (name, { rls, forced }) => {
      expect({ rls, forced }).toEqual({ rls: true, forced: true });
      // Those that are restrictive can only show less.
      const policies = await witness.query(
        `select polname, polpermissive, polcmd, polroles = '{0}' as for_all,
                pg_get_expr(polqual, polrelid) as uses, pg_get_expr(polwithcheck, polrelid) as checks
           from pg_policy where polrelid = $1::regclass and polname <> 'operator' and polpermissive`,
        [name],
      );
      const wall = `(${organizationColumn(name)} = ( SELECT current_organization_id() AS current_organization_id))`;
      expect(policies).toEqual([
        {
          polname: 'tenant',
          polpermissive: true,
          polcmd: '*',
          for_all: true,
          uses: wall,
          // PostgreSQL uses the read policy where there is no write policy.
          checks: name === 'organizations' ? null : wall,
        },
      ]);
    },
  );

  test('that prices a cart counts its changes, so that no preview uses old terms', async () => {
    const counted = await witness.query(
      `select tgrelid::regclass::text as table from pg_trigger where tgname = 'terms_changed' and tgenabled = 'O'`,
    );
    expect(counted.map(({ table }) => table).sort()).toEqual([
      'brands',
      'delivery_zone_postal_codes',
      'delivery_zones',
      'discount_codes',
      'discounts',
      'loyalty_rewards',
      'organizations',
      'payment_types',
      'product_categories',
      'product_options',
      'product_tags',
      'products',
      'purchase_limit_rules',
      'sandboxes',
      'taxes',
    ]);
  });

  test('only the owner has a second policy: on organizations, the count of their changes, and to read who has background work', async () => {
    const others = await witness.query(
      `select polrelid::regclass::text as table, pg_get_userbyid(polroles[1]) as role,
              cardinality(polroles) as roles, polcmd as command, current_user as owner
         from pg_policy p join pg_class c on c.oid = p.polrelid
        where p.polname <> 'tenant' and p.polpermissive and c.relnamespace = 'public'::regnamespace
        order by 1`,
    );
    const { owner } = others[0];
    const policy = (command: string) => (table: string) => ({ table, role: owner, roles: 1, command, owner });
    const ofRetention = [
      ...[
        'api_request_batches',
        'customer_codes',
        'customer_documents',
        'customer_licenses',
        'customer_sessions',
        'customers',
        'explanation_marks',
      ],
      ...[
        'mails',
        'menu_import_files',
        'move_files',
        'menu_import_products',
        'menu_imports',
        'order_explanations',
        'orders',
      ],
      ...[
        'parked_carts',
        'payment_intents',
        'payment_refunds',
        'product_photos',
        'queue_entries',
        'shop_profiles',
        'staff_sessions',
      ],
      ...['state_connections', 'state_lanes', 'state_reports'],
    ];
    const read = [
      'audit_chains',
      'audit_entries_to_link',
      'change_feeds',
      'client_keys',
      'idempotency_keys',
      'outbox_events',
      'package_changes',
      'product_options',
      'product_stock_changes',
      'products',
      'record_changes',
      'record_sum_states',
      'book_changes',
      'book_states',
    ];
    const alsoRead = ['book_sums', 'sandboxes', 'webhook_deliveries', 'webhook_endpoints'];
    const expected = [
      ...['organizations', 'terms_versions'].map(policy('*')),
      ...[...read, ...alsoRead, ...ofRetention].map(policy('r')),
    ];
    expect(others).toEqual(expected.toSorted((one, other) => (one.table < other.table ? -1 : 1)));
  });

  test('policies that show less are those of a search, on the tables of tokens', async () => {
    const restrictive = await witness.query(
      `select polrelid::regclass::text as table, polname, polcmd, pg_get_expr(polqual, polrelid) as uses
         from pg_policy p join pg_class c on c.oid = p.polrelid
        where not polpermissive and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    const uses = '(tokens @> ( SELECT sought_tokens() AS sought_tokens))';
    expect(restrictive).toEqual([
      { table: 'package_searches', polname: 'sought', polcmd: 'r', uses },
      { table: 'product_searches', polname: 'sought', polcmd: 'r', uses },
    ]);
  });

  test('keys, references and indexes begin with the organization, so that data can be spread by it', async () => {
    const indexes = await witness.query(
      `select t.relname as table, i.relname as index,
              (select a.attname from pg_attribute a where a.attrelid = t.oid and a.attnum = x.indkey[0]) as first
         from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
        where t.relnamespace = 'public'::regnamespace`,
    );
    for (const { table, index, first } of indexes.filter(({ table }) => !(table in globalTables))) {
      const expected = indexesByToken.includes(index) ? 'tokens' : organizationColumn(table);
      expect([index, first]).toEqual([index, expected]);
    }
    const references = await witness.query(
      `select k.conname as name, k.confrelid::regclass::text as to_table,
              (select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1]) as first
         from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
    );
    for (const { name, to_table: to, first } of references.filter(
      ({ to_table: to }) => !(to in globalTables),
    )) {
      expect([name, to, first]).toEqual([name, to, 'organization_id']);
    }
    const keyed = await witness.query(
      `select conrelid::regclass::text as table from pg_constraint
        where contype = 'p' and connamespace = 'public'::regnamespace`,
    );
    expect(keyed.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  test('has no binary floats and no types that depend on a locale (D4)', async () => {
    const columns = await witness.query(
      `select table_name || '.' || column_name as name, udt_name as type from information_schema.columns
        where table_schema = 'public'
          and ltrim(udt_name, '_') in ('float4', 'float8', 'money', 'timestamp', 'json', 'bpchar')`,
    );
    expect(columns).toEqual([]);
  });

  test('shows no rows outside an organization, and inside one only its rows', async () => {
    const seenBy = async (organization: number | '') => {
      const seen: Record<string, string[]> = {};
      await serving.query('begin');
      await serving.query("select set_config('app.organization_id', $1, true)", [String(organization)]);
      for (const { name } of tenantTables) {
        const column = organizationColumn(name);
        const { rows } = await serving.query(`select distinct ${column}::text as id from ${name}`);
        seen[name] = rows.map(({ id }) => id);
      }
      await serving.query('commit');
      return seen;
    };
    for (const { organizationId } of [home.shop, stranger.shop]) {
      await linkAuditEntries(service.context, organizationId);
      await pruneExplanations(service.context, organizationId);
    }
    expect(Object.values(await seenBy('')).flat()).toEqual([]);
    for (const { organizationId } of [home.shop, stranger.shop]) {
      const seen = await seenBy(organizationId);
      expect(new Set(Object.values(seen).flat())).toEqual(new Set([String(organizationId)]));
      // The tenants have rows in nearly every table, which the check needs.
      const empty = Object.keys(seen).filter((name) => seen[name]!.length === 0);
      expect(empty.sort()).toEqual([
        // What was in the audit log before its chain began is linked at once.
        'audit_entries_to_link',
        ...['order_adjustments', 'order_credits', 'order_loyalty_redemptions'],
      ]);
    }
  });
});

describe('the serving role', () => {
  test('can neither bypass nor remove row-level security', async () => {
    const { rows } = await serving.query(
      `select r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as mighty,
              exists (select from pg_class c where c.relowner = r.oid) as owns,
              exists (select from pg_auth_members m where m.member = r.oid) as borrows,
              has_schema_privilege(r.rolname, 'public', 'create') as creates
         from pg_roles r where r.rolname = current_user`,
    );
    expect(rows).toEqual([{ mighty: false, owns: false, borrows: false, creates: false }]);
    const { rows: cuts } = await serving.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and has_table_privilege(oid, 'truncate, references, trigger')`,
    );
    expect(cuts).toEqual([]);
    // A view, or a function with its owner's rights, would bypass row-level security.
    const { rows: doors } = await serving.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
        union all select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
    );
    expect(doors).toEqual([]);
  });

  test.each(appendOnlyTables)('cannot change or delete rows of %s', async (table) => {
    await serving.query("select set_config('app.organization_id', $1, false)", [
      String(home.shop.organizationId),
    ]);
    const column = tables.find(({ name }) => name === table)!.columns.at(-1)!;
    const { rows } = await serving.query(`select count(*)::int as count from ${table}`);
    expect(rows[0].count).toBeGreaterThan(0);
    for (const change of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await expect(serving.query(change)).rejects.toThrow(`permission denied for table ${table}`);
    }
  });

  test('cannot change of an event anything but its position in the feed', async () => {
    await serving.query("select set_config('app.organization_id', $1, false)", [
      String(home.shop.organizationId),
    ]);
    for (const column of ['type', 'subject_id', 'payload', 'created_at', 'announced']) {
      await expect(serving.query(`update outbox_events set ${column} = ${column}`)).rejects.toThrow(
        'permission denied for table outbox_events',
      );
    }
  });

  test('cannot read the applied migrations', async () => {
    await expect(serving.query('select * from schema_migrations')).rejects.toThrow('permission denied');
  });
});

describe('every statement of the program', () => {
  // Test files share a process, and some define their own statements.
  const statements = [...registeredStatements()]
    .filter(([name]) => !name.startsWith('test_'))
    .map(([name, { text, usesTenant }]) => ({ name, text, usesTenant }));

  test('prepares on the migrated schema', async () => {
    expect(statements.length).toBeGreaterThan(60);
    const faults: string[] = [];
    for (const { name, text } of statements) {
      // Statements that the protocol accepts and PREPARE does not.
      if (text === 'begin') continue;
      await serving
        .query(`prepare ${name} as ${text}`)
        .catch((error: Error) => faults.push(`${name}: ${error.message}`));
    }
    expect(faults).toEqual([]);
  });

  test('compares no column with coalesce, for which row-level security lets no index be used: case and least are', () => {
    const compared = /\b(?:where|and|or|on)\s+[\w.]+\s*(?:=|<=?|>=?)\s*coalesce\(/i;
    expect(statements.filter(({ text }) => compared.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('compares no column with a function of another row, for the same reason: a subquery with offset 0 has its values first', () => {
    const compared = /=\s*(?:lower|upper|btrim|trim|search_key|replace|concat|substring)\((?:\w+\()?\w+\.\w/i;
    expect(statements.filter(({ text }) => compared.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test('writes rows as the types of the schema have them', async () => {
    const types = await witness.query(
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as attributes
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relkind = 'c' and c.relnamespace = 'public'::regnamespace group by c.relname`,
    );
    const known = new Map(types.map(({ name, attributes }) => [name, attributes]));
    expect(writtenRowTypes().size).toBeGreaterThan(10);
    for (const [name, attributes] of writtenRowTypes()) expect(known.get(name), name).toEqual(attributes);
  });

  test('names the organization of every tenant table in it', () => {
    const serving = statements.filter(({ name }) => !(name in operatorStatements));
    const faults = serving.flatMap(({ name, text, usesTenant }) =>
      tenantReferences(text)
        .filter(({ table, alias }) => {
          const column = organizationColumn(table);
          const condition = new RegExp(
            `${alias === '' ? String.raw`(?<![\w.])` : `\\b${alias}\\.`}${column}\\b`,
          );
          return !usesTenant || !condition.test(text);
        })
        .map(({ table, alias }) => `${name}: ${table} ${alias}`),
    );
    expect(faults).toEqual([]);
  });

  test('a statement without its organization is found', () => {
    expect(tenantReferences('select * from orders where id = $1')).toEqual([{ table: 'orders', alias: '' }]);
    expect(tenantReferences('update orders o set status = $1')).toEqual([{ table: 'orders', alias: 'o' }]);
    expect(tenantReferences('select from brands b left join products as p on true')).toEqual([
      { table: 'brands', alias: 'b' },
      { table: 'products', alias: 'p' },
    ]);
    const touching = statements.filter(({ text }) => tenantReferences(text).length > 0);
    expect(touching.length).toBeGreaterThan(statements.length * 0.9);
  });

  /** The tenant tables after from, join, into and update, with their aliases. */
  function tenantReferences(text: string): { table: string; alias: string }[] {
    const keywords = /^(?:where|on|set|join|left|full|cross|inner|order|group|limit|values|for|using|union)$/;
    return [...text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)\b(?:\s+(?:as\s+)?([a-z_]+)\b)?/g)]
      .filter(([, table]) => tenantTables.some(({ name }) => name === table))
      .map(([, table = '', alias = '']) => ({ table, alias: keywords.test(alias) ? '' : alias }));
  }
});

test('changes of every table of the terms wait for the lease of previews', async () => {
  const { rows: triggers } = await serving.query(
    `select distinct tgrelid::regclass::text as name from pg_trigger where tgname = 'terms_changed' order by 1`,
  );
  expect([...termsLease.tables].sort()).toEqual(triggers.map(({ name }) => name));
  // Writes by functions of the database are not in the text of any statement. What only the owner may call serves no preview.
  const { rows: functions } = await serving.query(
    `select proname from pg_proc
      where pronamespace = 'public'::regnamespace and has_function_privilege(oid, 'execute')
        and prosrc ~* ('(insert into|update|delete from) (' || $1 || ')\\M')`,
    [[...termsLease.tables].join('|')],
  );
  expect(functions).toEqual([]);
});
