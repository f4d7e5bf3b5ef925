import { type Edit, type Names, type NewFile, newestChanges, type Project, type Recipe } from './recipe.ts';
import { spanishWords } from './spanish-words.ts';

/** A write of staff that adds a row and announces it, in a slice that the recipe `slice` made. */
export const eventRecipe: Recipe = {
  id: 'event',
  title: 'a write of staff with its event, in a slice',
  example: 'till',
  after: ['slice'],
  plan: (names, project) => {
    const { kebab, pascal, words, many } = names;
    const slice = `src/shop/${many.kebab}`;
    return {
      files: [write(names), routes(names), ownTest(names)],
      edits: edits(names, project),
      next: [
        `Choose the roles of ${slice}/${kebab}-staff-routes.ts, and which roles get the event in src/shop/live/shown-events.ts.`,
        'Integrators do not read the event: src/shop/changes/public-events.ts changes that.',
        `Say what else a ${words} has to hold; refuse the rest with failure(…).`,
      ],
      proof: {
        tests: [
          `${slice}/create-${kebab}.test.ts`,
          { file: 'src/shop/changes/change-routes.test.ts', name: 'every event is public' },
          { file: 'test/contract/staff-endpoints.test.ts', name: `create${pascal}` },
          { file: 'test/contract/schema-rules.test.ts', name: 'every statement of the program' },
        ],
        bugs: [
          {
            title: 'the write announces nothing',
            path: `${slice}/create-${kebab}.ts`,
            from: 'await announce(',
            to: 'await (async (..._: unknown[]) => {})(',
            red: { file: 'test/contract/staff-endpoints.test.ts', name: `create${pascal}` },
          },
          {
            title: 'the event names another subject',
            path: `${slice}/create-${kebab}.ts`,
            from: 'subjectId: id,',
            to: 'subjectId: id + 1,',
            red: `${slice}/create-${kebab}.test.ts`,
          },
        ],
      },
    };
  },
};

/** The places that name the write and its event. */
function edits({ kebab, camel, pascal, snake, title, words, many }: Names, project: Project): Edit[] {
  const slice = `src/shop/${many.kebab}`;
  return [
    {
      path: `${slice}/${kebab}-queries.ts`,
      place: 'after',
      anchor: 'where organization_id = :organizationId order by id`,\n);\n',
      text: `
export const insert${pascal} = statement<{ id: number; name: string; createdAt: string }, Record<never, never>>(
  'insert_${snake}',
  \`insert into ${many.snake} (organization_id, id, name, created_at)
   values (:organizationId, :id, :name, :createdAt)\`,
);
`,
    },
    {
      path: `${slice}/${many.kebab}.ts`,
      place: 'instead of',
      anchor: 'export {};\n',
      text: `export { create${pascal} } from './create-${kebab}.ts';\n`,
    },
    {
      path: 'src/app/app.ts',
      place: 'before',
      anchor: "import type { Context } from '../platform/database/context.ts';\n",
      text: `import { ${camel}StaffRoutes } from '../shop/${many.kebab}/${kebab}-staff-routes.ts';\n`,
    },
    {
      path: 'src/app/app.ts',
      place: 'after',
      anchor: '    ...liveStaffRoutes(byWallClock(context)),\n',
      text: `    ...${camel}StaffRoutes(context),\n`,
    },
    {
      path: 'src/kernel/event-catalog.ts',
      place: 'before',
      anchor: "  'law.changed': event(",
      text: `  '${snake}.created': event('A ${words} was made', { ${camel}Id: id() }),\n`,
    },
    {
      path: 'src/kernel/event-catalog.ts',
      place: 'before',
      anchor: '] as const;\n\nexport type SubjectType',
      text: `  '${snake}',\n`,
    },
    {
      path: 'console/src/screens/settings/audit-words.ts',
      place: 'before',
      anchor: '};\n\nexport const auditSubjects',
      text: `  ${snake}: t\`${title}\`,\n`,
    },
    ...spanishWords(project, { [title]: `“${title}”`, [`${title} created`]: `“${title}” creado` }),
    {
      path: 'src/shop/live/shown-events.ts',
      place: 'before',
      anchor: '  client_key: owners,\n',
      text: `  ${snake}: allRoles,\n`,
    },
    {
      path: 'src/shop/changes/public-events.ts',
      place: 'before',
      anchor: '  demo: null,\n',
      text: `  ${snake}: null,\n`,
    },
    {
      path: 'CHANGELOG.md',
      place: 'after',
      anchor: newestChanges,
      text: `- Staff add ${many.words} (\`POST /staff/v1/${many.kebab}\`), with the event \`${snake}.created\`.\n`,
    },
  ];
}

function write({ kebab, camel, pascal, snake, words, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/create-${kebab}.ts`,
    text: `import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { insert${pascal}, type ${pascal}Row } from './${kebab}-queries.ts';

/** Adds a ${words}. */
export async function create${pascal}(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { name }: { readonly name: string },
): Promise<${pascal}Row> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    tx.queue(insert${pascal}({ id, name, createdAt: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: '${snake}.created',
      subjectType: '${snake}',
      subjectId: id,
      payload: { ${camel}Id: id },
      details: { ${camel}Id: id, name },
    });
    return { id, name, created_at: nowMs };
  });
}
`,
  };
}

function routes({ kebab, camel, pascal, words, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/${kebab}-staff-routes.ts`,
    text: `import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Text } from '../../platform/http/schemas.ts';
import { create${pascal} } from './create-${kebab}.ts';
import { ${pascal}, shown${pascal} } from './${kebab}-routes.ts';

/** Staff operations on ${many.words}. */
export function ${camel}StaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'create${pascal}',
      method: 'POST',
      path: '/staff/v1/${many.kebab}',
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: 'Create a ${words}',
      description: 'Adds a ${words} to the organization.',
      tag: 'Settings',
      body: Type.Object({ name: Text({ min: 1, max: 200 }) }),
      requestExample: { name: 'One' },
      success: {
        status: 201,
        data: ${pascal},
        description: 'The ${words}',
        example: { id: 2901, name: 'One', createdAt: '2026-03-01T17:05:09.123Z' },
      },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown${pascal}(await create${pascal}(context, origin, staff.organizationId, body)));
      },
    }),
  ];
}
`,
  };
}

function ownTest({ kebab, camel, snake, words, many }: Names): NewFile {
  return {
    path: `src/shop/${many.kebab}/create-${kebab}.test.ts`,
    text: `import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterAll(() => service.close());

test('a new ${words} is in the list, and its event names it', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const made = await owner.call('POST', '/staff/v1/${many.kebab}', { name: 'Front' });
  const list = await service.call('GET', '/api/v1/${many.kebab}', { keys: shop.keys });
  expect(list.data).toEqual([made.data]);
  const events = await tenantSql(
    service.context.database,
    shop.organizationId,
    "select subject_id, payload from outbox_events where type = '${snake}.created'",
  );
  expect(events).toEqual([{ subject_id: String(made.data.id), payload: { ${camel}Id: made.data.id } }]);
});
`,
  };
}
