import { type Names, newestChanges, type Recipe } from './recipe.ts';

/** Another operation of a slice: three files. What tests, the bench and the demo have to know stands in its declaration. */
export const endpointRecipe: Recipe = {
  id: 'endpoint',
  title: 'another list for integrators, in a slice',
  example: 'till',
  after: ['slice'],
  plan: (names) => {
    const { kebab, words, many } = names;
    const slice = `src/shop/${many.kebab}`;
    const routes = `${slice}/${kebab}-routes.ts`;
    const operation = `list${names.pascal}Names`;
    return {
      files: [{ path: `${slice}/${kebab}-names.test.ts`, text: ownTest(names) }],
      edits: [
        { path: routes, place: 'before', anchor: '  ];\n}\n', text: operationText(names) },
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- Integrators list the names of ${many.words} (\`GET /api/v1/${kebab}-names\`).\n`,
        },
      ],
      next: [
        `Say in ${routes} what it answers, and who may call it; list its refusals in failures.`,
        'Where `list`, `readsFrom` or `emptyInDemo` do not fit, the failing test names the field.',
        `What it shows of a ${words} that no operation showed before needs a statement in ${kebab}-queries.ts.`,
      ],
      proof: {
        tests: [
          `${slice}/${kebab}-names.test.ts`,
          'test/contract/measured-lists.test.ts',
          'test/contract/standby-operations.test.ts',
          'test/contract/described-properties.test.ts',
          { file: 'seed/demo-reads.test.ts', name: 'integrators' },
          { file: 'src/shop/orders/unproven-callers.test.ts', name: 'in every field' },
          { file: 'test/contract/page-key-operations.test.ts', name: 'refused by every other one' },
          { file: 'test/contract/replies.test.ts', name: operation },
          { file: 'test/contract/routes.test.ts', name: `/api/v1/${kebab}-names` },
          { file: 'test/contract/tenancy.test.ts', name: 'every endpoint' },
        ],
        bugs: [
          {
            title: 'it does not say who answers it',
            path: routes,
            from: `      readsFrom: 'standby',\n      list: { staysSmall: 'a name for each ${words}'`,
            to: `      list: { staysSmall: 'a name for each ${words}'`,
            red: 'test/contract/standby-operations.test.ts',
          },
          {
            title: 'it does not say why it stays small',
            path: routes,
            from: `list: { staysSmall: 'a name for each ${words}' }`,
            to: 'list: {}',
            red: 'test/contract/measured-lists.test.ts',
          },
        ],
      },
    };
  },
};

function operationText({ kebab, pascal, title, words, many }: Names): string {
  return `    endpoint({
      id: 'list${pascal}Names',
      method: 'GET',
      path: '/api/v1/${kebab}-names',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'a name for each ${words}' },
      emptyInDemo: 'a demo shop has no ${many.words}',
      summary: 'List names of ${many.words}',
      description: 'The name of each ${words} of the organization, by id. ${title} names may be alike.',
      tag: '${many.title}',
      success: {
        status: 200,
        data: List(Text({ max: 200 }), { max: 10_000 }),
        description: 'The names',
        example: ['One'],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, select${many.pascal}({}));
        return reply(rows.map(({ name }) => name));
      },
    }),
`;
}

function ownTest({ kebab, words, many }: Names): string {
  return `import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterAll(() => service.close());

test('the names of an organization have one for each ${words}, by id', async () => {
  const shop = await createTestShop(service.context);
  for (const [id, name] of [
    [12, 'Second'],
    [11, 'First'],
  ] as const) {
    await tenantSql(
      service.context.database,
      shop.organizationId,
      'insert into ${many.snake} (organization_id, id, name, created_at) values (current_organization_id(), $1, $2, now())',
      id,
      name,
    );
  }
  const { status, data } = await service.call('GET', '/api/v1/${kebab}-names', { keys: shop.keys });
  expect([status, data]).toEqual([200, ['First', 'Second']]);
});
`;
}
