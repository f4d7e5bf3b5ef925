import { newestChanges, type Recipe } from './recipe.ts';
import { spanishWords } from './spanish-words.ts';

/** Opens every screen in a browser. */
const screenProofs = 'console/proofs/console-proofs.test.ts';

/** A list among the catalog's screens. It shows tags until the person names another operation. */
export const screenRecipe: Recipe = {
  id: 'screen',
  title: 'a list in the console, with its route and its tab',
  example: 'shelf-label',
  plan: ({ kebab, many }, project) => {
    const path = `console/src/screens/catalog/${kebab}-list.tsx`;
    const opens = { file: screenProofs, name: `/catalog/${many.kebab} and its dialogs` };
    return {
      files: [
        {
          path,
          text: `import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';

type Row = Schema['StaffTag'];

const columns: readonly Column<Row>[] = [
  { id: 'name', header: t\`Name\`, cell: ({ name }) => name },
  {
    id: 'products',
    header: t\`Products\`,
    width: 112,
    align: 'end',
    cell: ({ productIds }) => productIds.length,
  },
];

/** The ${many.words} of the shop. */
export function Component() {
  const list = useQuery({ queryKey: ['tags'], queryFn: () => dataOf(api.GET('/staff/v1/tags')) });
  return (
    <Page kind="list">
      <PageHeader title={t\`${many.title}\`} />
      <CatalogTabs />
      <DataTable
        label={t\`${many.title}\`}
        list={listOf(list, (rows) => rows)}
        columns={columns}
        empty={<EmptyState title={t\`No ${many.words} yet\`} />}
      />
    </Page>
  );
}
`,
        },
      ],
      edits: [
        {
          path: 'console/src/routes.tsx',
          place: 'before',
          anchor: "  screen('catalog/photos',",
          text: `  screen('catalog/${many.kebab}', () => import('./screens/catalog/${kebab}-list.tsx')),\n`,
        },
        {
          path: 'console/src/screens/catalog/catalog-tabs.tsx',
          place: 'before',
          anchor: "  { to: '/catalog/photos',",
          text: `  { to: '/catalog/${many.kebab}', title: t\`${many.title}\` },\n`,
        },
        ...spanishWords(project, {
          [many.title]: `“${many.title}”`,
          [`No ${many.words} yet`]: `Sin “${many.words}” todavía`,
        }),
        {
          path: 'CHANGELOG.md',
          place: 'after',
          anchor: newestChanges,
          text: `- The console lists ${many.words}.\n`,
        },
      ],
      next: [
        `Name the operation, its rows and its columns in ${path}. It shows the tags until then.`,
        'Write the Spanish of its name in console/src/words/es.json; the English stands there in quotation marks.',
        'A screen of another section moves to its folder, in console/src/routes.tsx too; the section has its own tabs.',
        'A dialog gets a line in console/proofs/console-dialogs.ts. console/README.md has the parts for filters, forms and writes.',
      ],
      proof: {
        tests: [opens],
        bugs: [
          {
            title: 'a column shows a field that the service does not send',
            path,
            from: 'cell: ({ name }) => name }',
            to: 'cell: ({ title }) => title }',
            red: 'types of the console',
          },
          {
            title: 'a picture comes from another host',
            path,
            from: '      <CatalogTabs />\n',
            to: '      <CatalogTabs />\n      <img src="https://pictures.example.com/label.png" alt="" />\n',
            red: opens,
          },
        ],
      },
    };
  },
};
