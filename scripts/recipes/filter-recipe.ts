import { newestChanges, type Recipe } from './recipe.ts';

/** A filter by name, on the list that the recipe `slice` made. */
export const filterRecipe: Recipe = {
  id: 'filter',
  title: 'a filter by name, on the list of a slice',
  example: 'till',
  after: ['slice'],
  plan: ({ kebab, pascal, words, many }) => {
    const queries = `src/shop/${many.kebab}/${kebab}-queries.ts`;
    const routes = `src/shop/${many.kebab}/${kebab}-routes.ts`;
    const meaning = 'test/contract/filter-meaning.ts';
    const operation = `list${many.pascal}`;
    return {
      files: [],
      edits: [
        {
          path: queries,
          place: 'after',
          anchor: 'where organization_id = :organizationId order by id`,\n);\n',
          text: `
/** Those of one name, by id. */
export const select${many.pascal}OfName = statement<{ name: string }, ${pascal}Row>(
  'select_${many.snake}_of_name',
  \`select id, name, created_at from ${many.snake}
    where organization_id = :organizationId and name = :name order by id\`,
);
`,
        },
        {
          path: routes,
          place: 'before',
          anchor: `import { select${many.pascal}, `,
          text: `import { select${many.pascal}OfName } from './${kebab}-queries.ts';\n`,
        },
        {
          path: routes,
          place: 'before',
          anchor: `      success: {\n        status: 200,\n        data: List(${pascal}, `,
          text: `      query: Type.Object({
        name: Type.Optional(Text({ min: 1, max: 200, description: 'Only ${many.words} of this name' })),
      }),
`,
        },
        {
          path: routes,
          place: 'instead of',
          anchor: `async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, select${many.pascal}({}));
        return reply(rows.map(shown${pascal}));`,
          text: `async ({ caller, query: { name } }) => {
        const asked = name === undefined ? select${many.pascal}({}) : select${many.pascal}OfName({ name });
        const [rows] = await context.database.read(caller.organizationId, asked);
        return reply(rows.map(shown${pascal}));`,
        },
        {
          path: meaning,
          place: 'before',
          anchor: "  'getMenu.sort': {},\n",
          text: `  'list${many.pascal}.name': equals((row) => row.name),\n`,
        },
        {
          path: 'test/contract/filter-world.ts',
          place: 'before',
          anchor: '  await sendRefusedRequests(service, callers);\n',
          text: `  for (const [at, name] of ['Front', 'Back', 'Front', 'front'].entries()) {
    const insert =
      "insert into ${many.snake} (organization_id, id, name, created_at) values (current_organization_id(), $1, $2, now())";
    await tenantSql(context.database, shop.organizationId, insert, at + 1, name);
  }
`,
        },
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- The list of ${many.words} can be filtered by \`name\`.\n`,
        },
      ],
      next: [
        `Choose what the filter keeps: its statement in ${queries}, its schema in ${routes}.`,
        `Say in ${meaning} which rows it keeps, and make such a ${words} and others in test/contract/filter-world.ts.`,
        `A large table needs an index of (organization_id, name, id) in a migration, and values in bench/list-requests.ts once the list has pages.`,
      ],
      proof: {
        tests: [
          `src/shop/${many.kebab}/${many.kebab}.test.ts`,
          { file: 'test/contract/list-filters.test.ts', name: operation },
          { file: 'test/contract/list-filters.test.ts', name: 'every filter what it keeps' },
          { file: 'test/contract/schema-rules.test.ts', name: 'every statement of the program' },
        ],
        bugs: [
          {
            title: 'the filter ignores case',
            path: queries,
            from: 'and name = :name',
            to: 'and lower(name) = lower(:name)',
            red: { file: 'test/contract/list-filters.test.ts', name: operation },
          },
          {
            title: 'the meaning of the filter is not said',
            path: meaning,
            from: `  'list${many.pascal}.name': equals((row) => row.name),\n`,
            to: '',
            red: { file: 'test/contract/list-filters.test.ts', name: 'every filter what it keeps' },
          },
        ],
      },
    };
  },
};
