import { nextMigration } from './next-migration.ts';
import { type Edit, type Names, type NewFile, newestChanges, type Project, type Recipe } from './recipe.ts';
import { spanishWords } from './spanish-words.ts';

/** A setting of the shop: one value, made by `settingResource`, and all places that name settings. */
export const settingRecipe: Recipe = {
  id: 'setting',
  title: 'a setting that staff list, add, change and archive, with its table',
  example: 'kiosk',
  plan: (names, project) => {
    const { kebab, camel, snake, words, pascal, many } = names;
    const declaration = `src/shop/settings/${kebab}-setting.ts`;
    const ownTest = `src/shop/settings/${kebab}-setting.test.ts`;
    const red = { file: 'test/contract/staff-endpoints.test.ts', name: `create${pascal}` };
    return {
      files: [
        migration(names, project),
        { path: declaration, text: declarationOf(names) },
        { path: ownTest, text: testOf(names) },
      ],
      edits: [...edits(names, project), ...otherEdits(names)],
      next: [
        `Give the ${words} its fields, in the migration and ${declaration}: each has a schema, a column, and what it is when it is absent.`,
        'Choose the roles. `saving` refuses values that need the database, `ending` the end of one that is in use.',
        'Integrators do not read its events: src/shop/changes/public-events.ts changes that.',
      ],
      proof: {
        tests: [
          ownTest,
          { file: 'test/contract/staff-endpoints.test.ts', name: `create${pascal}` },
          { file: 'test/contract/stale-edits.test.ts', name: `update${pascal}` },
          { file: 'test/contract/schema-rules.test.ts', name: many.snake },
          { file: 'src/shop/changes/change-routes.test.ts', name: 'every event is public' },
        ],
        bugs: [
          {
            title: 'a setting does not say that another one has its name',
            path: declaration,
            from: `    uniqueName: { key: 'name_key', constraint: '${many.snake}_of_name' },\n`,
            to: '',
            red: ownTest,
          },
          {
            title: 'a field of a setting has no column of its own',
            path: declaration,
            from: "'note', {",
            to: "'name', {",
            red: ownTest,
          },
          {
            title: 'an event of a setting is not in the catalog',
            path: 'src/kernel/event-catalog.ts',
            from: `  '${snake}.updated': event('A ${words} was changed', { ${camel}Id: id() }),\n`,
            to: '',
            red: 'types',
          },
          {
            title: 'a reply of a setting lacks a field',
            path: declaration,
            from: "      archivedAt: Nullable(Timestamp({ description: 'When it was archived' })),\n",
            to: '',
            red,
          },
        ],
      },
    };
  },
};

function migration({ many }: Names, project: Project): NewFile {
  return {
    path: nextMigration(project, `add_${many.snake}`),
    text: `-- The ${many.words} of an organization.
create table ${many.snake} (
  organization_id bigint not null references organizations,
  id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(btrim(name))) stored,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
create unique index ${many.snake}_of_name on ${many.snake} (organization_id, name_key) where archived_at is null;
alter table ${many.snake} enable row level security;
alter table ${many.snake} force row level security;
create policy tenant on ${many.snake} using (organization_id = (select current_organization_id()))
  with check (organization_id = (select current_organization_id()));
`,
  };
}

function declarationOf({ camel, pascal, snake, words, many }: Names): string {
  return `import Type from 'typebox';
import { Id, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import {
  schemasOf,
  settingField,
  settingTable,
  uniqueNameField,
} from '../../platform/resources/setting-table.ts';
import { settingsReaders, settingsWriters } from './settings-schemas.ts';

const fields = {
  name: uniqueNameField(),
  note: settingField(Nullable(Text({ max: 2000, description: 'For staff' })), 'note', { absent: null }),
};

const requestExample = { name: 'One', note: 'At the entrance' };

/** ${many.title} of the organization. */
export const ${many.camel} = settingResource({
  table: settingTable('${many.snake}', {
    fields,
    ends: 'archived',
    lock: 'for no key update',
    uniqueName: { key: 'name_key', constraint: '${many.snake}_of_name' },
  }),
  noun: '${words}',
  subject: '${snake}',
  idName: '${camel}Id',
  notFound: '${snake.toUpperCase()}_NOT_FOUND',
  path: '/staff/v1/${many.kebab}',
  tag: 'Settings',
  readers: settingsReaders,
  writers: settingsWriters,
  data: Named(
    '${pascal}',
    Type.Object({
      id: Id(),
      ...schemasOf(fields),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      archivedAt: Nullable(Timestamp({ description: 'When it was archived' })),
    }),
  ),
  example: {
    id: 2901,
    ...requestExample,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
    archivedAt: null,
  },
  list: {
    id: 'list${many.pascal}',
    summary: 'List ${many.words}',
    description: 'All ${many.words}, including archived ones, by id.',
    max: 10_000,
    sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending' },
    emptyInDemo: 'the demo shop has no ${many.words}',
  },
  create: {
    id: 'create${pascal}',
    summary: 'Create a ${words}',
    description: 'Adds a ${words} to the organization.',
    requestExample,
  },
  replace: {
    id: 'replace${pascal}',
    summary: 'Replace a ${words}',
    description: 'Absent fields get their defaults. An archived one stays archived.',
    requestExample,
  },
  update: {
    id: 'update${pascal}',
    summary: 'Change a ${words}',
    description: 'Changes the given fields only. \`archived: false\` restores an archived one.',
    requestExample: { note: 'At the back' },
    changed: { note: 'At the back' },
  },
  end: {
    id: 'archive${pascal}',
    summary: 'Archive a ${words}',
    description: 'It stays listed. Archiving it again changes nothing.',
    changed: { archivedAt: '2026-05-01T17:05:09.123Z' },
  },
});
`;
}

function testOf({ snake, words, many }: Names): string {
  return `import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
const owner = await service.staff(await createTestShop(service.context));
afterAll(() => service.close());

const path = '/staff/v1/${many.kebab}';

test('a ${words} is created, changed in part or whole, archived and restored', async () => {
  const { data: created } = await owner.call('POST', path, { name: ' Front ', note: 'New' });
  expect(created).toMatchObject({ name: 'Front', note: 'New', archivedAt: null });
  const own = \`\${path}/\${created.id}\`;
  service.clock.advance(1000);
  const updatedAt = new Date(service.clock.now()).toISOString();
  expect((await owner.call('PATCH', own, { note: null })).data).toEqual({ ...created, note: null, updatedAt });
  expect((await owner.call('PUT', own, { name: 'Back' })).data).toMatchObject({ name: 'Back', note: null });
  const archived = (await owner.call('DELETE', own)).data;
  expect(archived.archivedAt).toBe(updatedAt);
  expect((await owner.call('DELETE', own)).data).toEqual(archived);
  expect((await owner.call('PATCH', own, { archived: false })).data.archivedAt).toBeNull();
  expect((await owner.call('GET', path)).data).toMatchObject([{ name: 'Back', archivedAt: null }]);
  await owner.call('DELETE', own);
  expect((await owner.call('POST', path, { name: 'back' })).status).toBe(201);
  expect((await owner.call('PATCH', own, { archived: false })).error?.code).toBe('INVALID_PARAMS');
  expect((await owner.call('PATCH', \`\${path}/404404\`, {})).error?.code).toBe('${snake.toUpperCase()}_NOT_FOUND');
});

test('two ${many.words} never have the same name, also when they are created at once', async () => {
  const replies = await Promise.all(['Rush', ' rush'].map((name) => owner.call('POST', path, { name })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect(replies.find(({ error }) => error !== undefined)?.error?.message).toBe(
    'name must not be that of another ${words}.',
  );
});
`;
}

/** Where the program and the console name a setting. */
function edits({ kebab, camel, snake, words, title, many }: Names, project: Project): Edit[] {
  return [
    {
      path: 'src/shop/settings/settings-staff-routes.ts',
      place: 'before',
      anchor: "import { lawStaffRoutes } from './law-staff-routes.ts';\n",
      text: `import { ${many.camel} } from './${kebab}-setting.ts';\n`,
    },
    {
      path: 'src/shop/settings/settings-staff-routes.ts',
      place: 'after',
      anchor: '    ...paymentTypes.routes(context),\n',
      text: `    ...${many.camel}.routes(context),\n`,
    },
    {
      path: 'src/kernel/event-catalog.ts',
      place: 'before',
      anchor: "  'purchase_limit_rule.created': event(",
      text: Object.entries({
        created: 'made',
        updated: 'changed',
        archived: 'archived',
        restored: 'restored',
      })
        .map(
          ([verb, done]) => `  '${snake}.${verb}': event('A ${words} was ${done}', { ${camel}Id: id() }),\n`,
        )
        .join(''),
    },
    {
      path: 'src/kernel/event-catalog.ts',
      place: 'before',
      anchor: '] as const;\n\nexport type SubjectType',
      text: `  '${snake}',\n`,
    },
    {
      path: 'src/kernel/record-errors.ts',
      place: 'before',
      anchor: '  PURCHASE_LIMIT_RULE_NOT_FOUND: {\n',
      text: `  ${snake.toUpperCase()}_NOT_FOUND: {
    status: 404,
    when: 'There is no such ${words}.',
    remedy: 'Use an id of GET /staff/v1/${many.kebab}.',
  },
`,
    },
    {
      path: 'src/shop/live/shown-events.ts',
      place: 'before',
      anchor: '  payment_type: allRoles,\n',
      text: `  ${snake}: allRoles,\n`,
    },
    {
      path: 'src/shop/changes/public-events.ts',
      place: 'before',
      anchor: '  delivery_zone: null,\n',
      text: `  ${snake}: null,\n`,
    },
    {
      path: 'docs/ARCHITECTURE.md',
      place: 'before',
      anchor: '| `payment_types` | `settings` |',
      text: `| \`${many.snake}\` | \`settings\` | no other slice |\n`,
    },
    {
      path: 'console/src/screens/settings/audit-words.ts',
      place: 'before',
      anchor: '};\n\nexport const auditSubjects',
      text: `  ${snake}: t\`${title}\`,\n`,
    },
    ...spanishWords(project, {
      [title]: `“${title}”`,
      [`${title} archived`]: `“${title}” archivado`,
      [`${title} created`]: `“${title}” creado`,
      [`${title} restored`]: `“${title}” restaurado`,
      [`${title} updated`]: `“${title}” modificado`,
    }),
  ];
}

/** Rows for the proofs of lists, and the line for users. */
function otherEdits({ many }: Names): Edit[] {
  return [
    {
      path: 'test/contract/filter-settings.ts',
      place: 'before',
      anchor: "    await post('payment-types', {\n",
      text: `    await post('${many.kebab}', { name, note: null });\n`,
    },
    {
      path: 'CHANGELOG.md',
      place: 'after',
      anchor: newestChanges,
      text: `- Staff list, add, change and archive ${many.words} (\`/staff/v1/${many.kebab}\`).\n`,
    },
  ];
}
