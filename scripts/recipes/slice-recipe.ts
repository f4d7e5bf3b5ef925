import { nextMigration } from './next-migration.ts';
import { type Names, type NewFile, newestChanges, type Project, type Proof, type Recipe } from './recipe.ts';

/** A slice of its own: table, statement, a list for integrators, and the places that know every slice. */
export const sliceRecipe: Recipe = {
  id: 'slice',
  title: 'a slice with its table, and a list of it for integrators',
  example: 'till',
  plan: (names, project) => {
    const { many } = names;
    const slice = `src/shop/${many.kebab}`;
    return {
      files: [migration(names, project), queries(names), frontDoor(names), routes(names), ownTest(names)],
      edits: [
        {
          path: 'src/app/app.ts',
          place: 'before',
          anchor: "import type { Context } from '../platform/database/context.ts';\n",
          text: `import { ${names.camel}Routes } from '../shop/${many.kebab}/${names.kebab}-routes.ts';\n`,
        },
        {
          path: 'src/app/app.ts',
          place: 'after',
          anchor: '    ...whoamiRoutes(byWallClock(context)),\n',
          text: `    ...${names.camel}Routes(context),\n`,
        },
        {
          path: 'src/app/app.ts',
          place: 'before',
          anchor: "  Changes: 'The feed of changes, in order',\n",
          text: `  ${quotedKey(many.title)}: 'The ${many.words} of the organization',\n`,
        },
        {
          path: 'docs/ARCHITECTURE.md',
          place: 'before',
          anchor: '| `changes` | the platform |\n',
          text: `| \`${many.kebab}\` | the platform |\n`,
        },
        {
          path: 'docs/ARCHITECTURE.md',
          place: 'before',
          anchor: '| `product_tags`, `tags` | `catalog` |',
          text: `| \`${many.snake}\` | \`${many.kebab}\` | no other slice |\n`,
        },
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- Integrators list ${many.words} (\`GET /api/v1/${many.kebab}\`).\n`,
        },
      ],
      next: [
        `Say in ${slice}/${many.kebab}.ts what the slice owns and does not do.`,
        `Give the table its columns, in the migration, ${names.kebab}-queries.ts and ${names.kebab}-routes.ts; test/golden/replies gets a file of the fields.`,
        'Choose the permission and the tag.',
        `Add an operation: npm run new -- endpoint ${names.kebab}; a write: npm run new -- event ${names.kebab}`,
      ],
      proof: proofOf(names),
    };
  },
};

function proofOf(names: Names): Proof {
  const { many } = names;
  const slice = `src/shop/${many.kebab}`;
  const operation = `list${many.pascal}`;
  return {
    tests: [
      `${slice}/${many.kebab}.test.ts`,
      'test/contract/measured-lists.test.ts',
      'test/contract/standby-operations.test.ts',
      'test/contract/described-properties.test.ts',
      { file: 'seed/demo-reads.test.ts', name: 'integrators' },
      { file: 'test/contract/replies.test.ts', name: operation },
      { file: 'test/contract/routes.test.ts', name: `/api/v1/${many.kebab}` },
      { file: 'test/contract/schema-rules.test.ts', name: many.snake },
      { file: 'test/contract/schema-rules.test.ts', name: 'every statement of the program' },
      { file: 'test/contract/tenancy.test.ts', name: 'every endpoint' },
    ],
    bugs: [
      {
        title: 'the list is in the wrong order',
        path: `${slice}/${names.kebab}-queries.ts`,
        from: 'where organization_id = :organizationId order by id',
        to: 'where organization_id = :organizationId order by id desc',
        red: `${slice}/${many.kebab}.test.ts`,
      },
      {
        title: 'a field is left out',
        path: `${slice}/${names.kebab}-routes.ts`,
        from: '    createdAt: Timestamp(),\n',
        to: '',
        red: { file: 'test/contract/replies.test.ts', name: operation },
      },
      {
        title: 'the statement reads every organization',
        path: `${slice}/${names.kebab}-queries.ts`,
        from: 'where organization_id = :organizationId order by id',
        to: 'order by id',
        red: 'tidy',
      },
    ],
  };
}

/** A word alone needs no quotes as a name of a field. */
function quotedKey(text: string): string {
  return text.includes(' ') ? `'${text}'` : text;
}

function migration({ many }: Names, project: Project): NewFile {
  return {
    path: nextMigration(project, `add_${many.snake}`),
    text: `-- The ${many.words} of an organization.
create table ${many.snake} (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
alter table ${many.snake} enable row level security;
alter table ${many.snake} force row level security;
create policy tenant on ${many.snake} using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
`,
  };
}

function queries({ kebab, pascal, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/${kebab}-queries.ts`,
    text: `import { statement } from '../../platform/statements/statement.ts';

/** All SQL on ${many.words}. */

export interface ${pascal}Row {
  id: number;
  name: string;
  created_at: number;
}

/** By id: the order in which they were made. */
export const select${many.pascal} = statement<Record<never, never>, ${pascal}Row>(
  'select_${many.snake}',
  \`select id, name, created_at from ${many.snake} where organization_id = :organizationId order by id\`,
);
`,
  };
}

function frontDoor({ many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/${many.kebab}.ts`,
    text: `/**
 * Front door of ${many.words}. Owns the table ${many.snake}. Other slices get nothing of it yet.
 */
export {};
`,
  };
}

function routes({ kebab, camel, pascal, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/${kebab}-routes.ts`,
    text: `import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Text, Timestamp } from '../../platform/http/schemas.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { select${many.pascal}, type ${pascal}Row } from './${kebab}-queries.ts';

export const ${pascal} = Named(
  '${pascal}',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    createdAt: Timestamp(),
  }),
);

/** Operations on ${many.words} for integrators. */
export function ${camel}Routes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'list${many.pascal}',
      method: 'GET',
      path: '/api/v1/${many.kebab}',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { order: { ascending: ['id'] }, staysSmall: 'settings of the shop', exampleIn: '${many.snake}' },
      emptyInDemo: 'a demo shop has no ${many.words}',
      summary: 'List ${many.words}',
      description: 'All ${many.words} of the organization, by id.',
      tag: '${many.title}',
      success: {
        status: 200,
        data: List(${pascal}, { max: 10_000 }),
        description: 'The ${many.words}',
        example: [{ id: 2901, name: 'One', createdAt: '2026-03-01T17:05:09.123Z' }],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, select${many.pascal}({}));
        return reply(rows.map(shown${pascal}));
      },
    }),
  ];
}

/** As lists show it. */
export function shown${pascal}(row: ${pascal}Row) {
  return { id: row.id, name: row.name, createdAt: isoTimestamp(row.created_at) };
}
`,
  };
}

function ownTest({ words, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/${many.kebab}.test.ts`,
    text: `import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterAll(() => service.close());

const add = (shop: TestShop, id: number, name: string) =>
  tenantSql(
    service.context.database,
    shop.organizationId,
    'insert into ${many.snake} (organization_id, id, name, created_at) values (current_organization_id(), $1, $2, $3)',
    id,
    name,
    '2026-03-01T17:05:09.123Z',
  );

test('a list has every ${words} of its own organization, by id', async () => {
  const [shop, other] = [await createTestShop(service.context), await createTestShop(service.context)];
  await add(shop, 12, 'Second');
  await add(shop, 11, 'First');
  await add(other, 13, 'Elsewhere');
  const { status, data } = await service.call('GET', '/api/v1/${many.kebab}', { keys: shop.keys });
  const createdAt = '2026-03-01T17:05:09.123Z';
  expect([status, data]).toEqual([
    200,
    [
      { id: 11, name: 'First', createdAt },
      { id: 12, name: 'Second', createdAt },
    ],
  ]);
});
`,
  };
}
