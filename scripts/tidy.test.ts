// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code in texts is what is tested here
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../src/kernel/error-catalog.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { exceptionsNameFiles, exportedFunctionsAreDocumented, noBannedCode } from './tidy/code-rules.ts';
import {
  citedDecisionsExist,
  errorsPageNamesEveryCode,
  linksResolve,
  mentionedDocumentsExist,
  usersReadNoDecisionNumbers,
} from './tidy/document-rules.ts';
import {
  fileNamesAreKebabCaseAndUnique,
  fileNamesSaySomething,
  filesAreSmall,
  noVendorNames,
  textsSpeakOfTheProduct,
} from './tidy/file-rules.ts';
import { functionsAreShort } from './tidy/function-rules.ts';
import {
  arrowsHaveNoCycles,
  frontDoorsAreNarrow,
  importsFollowTheTable,
  layersGoDown,
  noImportCycles,
} from './tidy/import-rules.ts';
import { maskCode } from './tidy/mask-code.ts';
import { platformKnowsNoBusiness } from './tidy/platform-rules.ts';
import { proseIsPlain } from './tidy/prose-rules.ts';
import { architecture, check } from './tidy/small-projects.test-support.ts';
import {
  sqlIsMadeAtModuleLevel,
  statementsBindTheOrganization,
  tablesHaveOneWriter,
} from './tidy/sql-rules.ts';

/** The declaration of the project itself. */
const declaration = {
  'docs/ARCHITECTURE.md': readFileSync(join(projectFolder(), 'docs/ARCHITECTURE.md'), 'utf8'),
};

/** Unwanted words, concatenated so that this file does not contain them. */
const unwanted = (...parts: readonly string[]): string => parts.join('');

describe('imports', () => {
  test.each([
    ['a slice that the table does not allow', 'src/shop/catalog/a.ts', '../orders/orders.ts', 'not orders'],
    [
      'a slice beside its front door',
      'src/shop/orders/a.ts',
      '../catalog/catalog-queries.ts',
      'by its front door',
    ],
    [
      'the platform importing a business word',
      'src/platform/database/a.ts',
      '../../shop/orders/orders.ts',
      'not orders',
    ],
    ['the kernel importing anything', 'src/kernel/a.ts', '../platform/http/server.ts', 'imports nothing'],
    [
      'a pure engine importing a slice',
      'src/engines/pricing/a.ts',
      '../../shop/catalog/products.ts',
      'may import goods, kernel',
    ],
    ['a pure engine importing a package', 'src/engines/pricing/a.ts', 'node:fs', 'is pure'],
    ['a program beside a front door', 'seed/a.ts', '../src/shop/orders/place-order.ts', 'by its front door'],
    [
      'the console beside the client',
      'console/src/a.tsx',
      '../../src/kernel/clock.ts',
      'console may import sdk',
    ],
    [
      'a room that is not declared',
      'src/shop/bakery/a.ts',
      '../../kernel/clock.ts',
      'bakery has no row in docs/ARCH',
    ],
  ])('refused: %s', (_, path, name, message) => {
    const findings = check(importsFollowTheTable, {
      ...declaration,
      [path]: `\nimport { a } from '${name}';\n`,
    });
    expect(findings).toEqual([expect.stringContaining(`${path}:2`)]);
    expect(findings[0]).toContain(message);
  });

  test.each([
    ['src/shop/orders/a.ts', '../catalog/products.ts'],
    ['src/shop/orders/a.ts', './place-order.ts'],
    ['src/app/app.ts', '../shop/orders/order-routes.ts'],
    ['src/shop/orders/a.test.ts', '../catalog/catalog-queries.ts'],
    ['src/engines/pricing/a.ts', '../../kernel/assert.ts'],
    ['src/shop/menus/a.ts', '../catalog/catalog-queries.ts', 'import type { A }'],
  ])('allowed: %s imports %s', (path, name, what = 'export { a }') => {
    const files = { ...declaration, [path]: `${what} from '${name}';` };
    expect(check(importsFollowTheTable, files)).toEqual([]);
  });

  test.each([
    ['a folder that is no layer', 'src/bakery/a.ts', '../kernel/clock.ts', 'bakery is no layer'],
    ['a layer above', 'src/platform/http/a.ts', '../../shop/orders/orders.ts', 'platform is below shop'],
    ['a type of a layer above', 'src/kernel/a.ts', '../engines/pricing/price-cart.ts', 'below engines'],
  ])('refused: %s', (_, path, name, message) => {
    const findings = check(layersGoDown, { ...declaration, [path]: `import type { A } from '${name}';` });
    expect(findings).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['a name', 'src/platform/http/a.ts', 'export type CustomerAttempt = 1;', 'Customer'],
    [
      'a part of a name',
      'src/platform/database/a.ts',
      'const ordersOfAddress = 1; let productId = 2;',
      'product',
    ],
    ['a header', 'src/platform/http/a.ts', "const name = 'X-Order-Token';", 'Order-Token'],
    ['a table', 'src/platform/events/a.ts', 'const text = `select id from orders o`;', 'orders'],
    ['the kernel', 'src/kernel/a.ts', "const kinds = ['discount'];", 'discount'],
  ])('refused in the platform: a word of the shop in %s', (_, path, code, word) => {
    expect(check(platformKnowsNoBusiness, { [path]: code })).toEqual([
      expect.stringContaining(`"${word}" is a word of the shop`),
    ]);
  });

  test.each([
    ['src/platform/database/a.ts', 'const order = `order by id`; // a customer may wait'],
    ['src/kernel/permission-catalog.ts', "const permissions = ['menu'];"],
    ['src/shop/orders/a.ts', 'const orderToken = 1;'],
  ])('allowed: %s', (path, code) => {
    expect(check(platformKnowsNoBusiness, { [path]: code })).toEqual([]);
  });

  test('a front door that names more than twenty things is refused', () => {
    const door = (count: number) => ({
      'src/shop/queue/queue.ts': `export { ${Array.from({ length: count }, (_, at) => `a${at}`).join(', ')} } from './a.ts';`,
    });
    expect(check(frontDoorsAreNarrow, door(20))).toEqual([]);
    expect(check(frontDoorsAreNarrow, door(21))).toEqual([expect.stringContaining('names 21 things')]);
    expect(
      check(frontDoorsAreNarrow, { 'src/shop/queue/queue.ts': "export { a, type A } from './a.ts';" }),
    ).toEqual([expect.stringContaining('where they live')]);
  });

  test('a file may import its own layer and those below', () => {
    const code =
      "import { a } from '../catalog/products.ts';\nimport { b } from '../../platform/http/server.ts';";
    expect(check(layersGoDown, { ...declaration, 'src/shop/orders/a.ts': code })).toEqual([]);
  });

  test('a cycle is found through types and reported with its complete path', () => {
    const findings = check(noImportCycles, {
      'src/shop/orders/a.ts': `import { b } from './b.ts';`,
      'src/shop/orders/b.ts': `import type { C } from './c.ts';`,
      'src/shop/orders/c.ts': `export * from './a.ts';`,
    });
    expect(findings).toEqual([
      expect.stringContaining(
        'src/shop/orders/a.ts → src/shop/orders/b.ts → src/shop/orders/c.ts → src/shop/orders/a.ts',
      ),
    ]);
  });
});

describe('the table of arrows', () => {
  test('a room that may in the end import itself is refused, at its rows', () => {
    const findings = check(arrowsHaveNoCycles, {
      ...architecture({ arrows: ['orders > queue', 'queue > menus', 'menus > orders', 'seed > everything'] }),
      'src/shop/orders/a.ts': '',
      'src/shop/queue/a.ts': '',
      'src/shop/menus/a.ts': '',
      'seed/a.ts': '',
    });
    expect(findings).toEqual([
      expect.stringMatching(/^docs\/ARCHITECTURE\.md:7 By this table orders may in the end import itself/),
      expect.stringMatching(/^docs\/ARCHITECTURE\.md:8 By this table queue/),
      expect.stringMatching(/^docs\/ARCHITECTURE\.md:9 By this table menus/),
    ]);
  });

  test('a row of a room that is not there is refused, and an arrow to one', () => {
    const files = { 'src/shop/orders/a.ts': '', 'src/kernel/a.ts': '' };
    const declared = architecture({ arrows: ['bakery > kernel', 'orders > bakery', 'kernel > nothing'] });
    expect(check(arrowsHaveNoCycles, { ...files, ...declared })).toEqual([
      expect.stringContaining('ARCHITECTURE.md:7 There is no bakery'),
      expect.stringContaining('ARCHITECTURE.md:8 There is no bakery'),
      expect.stringContaining('ARCHITECTURE.md:9 There is no nothing'),
    ]);
  });
});

describe('SQL', () => {
  const migrations = {
    'migrations/0001_create_orders.sql':
      'create table orders (\n  organization_id bigint not null\n);\ncreate table settings (\n  id bigint\n);\n',
  };

  test.each([
    `export const a = statement('a', 'update orders o set x = 1 where organization_id = :organizationId');`,
    `export const a = insertMany<{ id: number }>('orders', { id: 'id' });`,
    `const a = childInsert('orders', columns);`,
  ])('a second writer of a table is refused: %s', (code) => {
    const first = `export const b = statement('b', 'delete from orders where organization_id = :organizationId');`;
    const findings = check(tablesHaveOneWriter, {
      ...migrations,
      'src/shop/orders/b.ts': first,
      'src/shop/menus/a.ts': code,
    });
    expect(findings).toEqual([
      expect.stringMatching(/^src\/shop\/orders\/b\.ts:1 orders is also written by menus/),
      expect.stringMatching(/^src\/shop\/menus\/a\.ts:1 orders is also written by orders/),
    ]);
  });

  test('a statement on the table of organizations without its condition is refused, also through a constant', () => {
    const rows = 'const rows = `select id from orders`;\n';
    expect(
      check(statementsBindTheOrganization, {
        ...migrations,
        'src/shop/orders/a.ts': `${rows}export const all = statement('all', \`\${rows} order by id\`);`,
        'src/shop/orders/b.ts': `export const one = statement('one', 'select id from orders where organization_id = :organizationId');`,
        'src/shop/orders/c.ts': `export const set = statement('set', 'select id from settings');`,
      }),
    ).toEqual([expect.stringMatching(/^src\/shop\/orders\/a\.ts:2 all reads orders of every organization/)]);
  });

  test.each([
    'export function find(name: string) {\n  return statement(`x`, `select ${name}`);\n}\n',
    'function make(name: string) {\n  return statement(`x`, `select ${name}`);\n}\nexport function find() {\n  make(input);\n}\n',
    'export const find = (name: string) => client.query(`delete from orders where name = ${name}`);\n',
    'class Finder {\n  find(name: string) {\n    return `select ${name}`;\n  }\n}\n',
  ])('SQL that is assembled at the call of a function is refused: %s', (code) => {
    expect(check(sqlIsMadeAtModuleLevel, { 'src/shop/orders/a.ts': code })).toEqual([
      expect.stringContaining('makes SQL when it is called'),
    ]);
  });

  test('SQL may be assembled from constants while the module loads', () => {
    const code =
      'const columns = `id, name`;\nfunction list(filter: string) {\n  return statement(filter, `select ${columns}`);\n}\n' +
      'for (const filter of filters) {\n  lists.set(filter, list(filter));\n}\n';
    expect(check(sqlIsMadeAtModuleLevel, { 'src/shop/orders/a.ts': code })).toEqual([]);
  });
});

describe('code', () => {
  test.each([
    ['src/engines/pricing/a.ts', 'const a = Math.round(b);'],
    ['src/engines/pricing/a.ts', 'const a = b * 0.15;'],
    ['src/engines/pricing/a.ts', 'const a = b / 100;'],
    ['src/engines/pricing/a.ts', 'const a = Number(b);'],
    ['src/engines/pricing/a.ts', 'const a = parseFloat(b);'],
    ['src/engines/pricing/a.ts', 'const a = b.toFixed(2);'],
    ['src/shop/orders/a.ts', 'const a = Date.now();'],
    ['src/shop/orders/a.ts', 'const a = new Date();'],
    ['src/engines/purchase-limits/a.ts', 'const a = Number(content);'],
    ['src/engines/purchase-limits/a.ts', 'const a = decimal(content).toNumber();'],
    ['src/engines/purchase-limits/a.ts', 'const a = grams / ounce;'],
    ['src/engines/purchase-limits/a.ts', 'const a = 28.5;'],
    ['seed/a.ts', 'const a = Math.random();'],
    ['src/shop/orders/a.ts', "import { randomUUID } from 'node:crypto';"],
    ['src/shop/orders/a.ts', 'const a = process.env.PORT;'],
    ['src/shop/orders/a.test.ts', 'test.only(name, work);'],
    ['src/shop/orders/a.test.ts', 'describe.skip(name, work);'],
    ['src/shop/orders/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 5));'],
    ['src/shop/orders/a.ts', "import { b } from './b';"],
  ])('refused in %s: %s', (path, code) => {
    expect(check(noBannedCode, { [path]: code })).toHaveLength(1);
  });

  test.each([
    ['src/engines/pricing/a.ts', '/* a / b, 0.5 */ const a = Math.min(b, c); // Math.round'],
    ['src/engines/pricing/a.ts', "const a = 'Math.round 0.5 / 2';"],
    ['src/engines/purchase-limits/a.ts', "const a = decimal('28.5').div(ounce); // 1 / 2"],
    ['src/shop/orders/a.ts', 'const a = new Date(nowMs);'],
    ['src/shop/orders/a.test.ts', 'const a = Math.random();'],
    ['src/kernel/clock.ts', 'const a = Date.now();'],
  ])('allowed in %s: %s', (path, code) => {
    expect(check(noBannedCode, { [path]: code })).toEqual([]);
  });

  test('an exception for a missing file is refused', () => {
    expect(check(exceptionsNameFiles, {})).toContainEqual(expect.stringContaining('src/kernel/clock.ts'));
  });

  test('an exported function without a doc comment is refused', () => {
    const code =
      '/** Adds. */\nexport function add() {}\nexport async function take() {}\nfunction own() {}\n';
    expect(check(exportedFunctionsAreDocumented, { 'src/shop/orders/a.ts': code })).toEqual([
      expect.stringMatching(/^src\/shop\/orders\/a\.ts:3 take is exported/),
    ]);
  });
});

describe('files', () => {
  test.each(['src/shop/orders/placeOrder.ts', 'src/shop/orders/Place.ts', 'scripts/run_all.mjs'])(
    'a name that is not kebab-case is refused: %s',
    (path) => {
      expect(check(fileNamesAreKebabCaseAndUnique, { [path]: '' })).toEqual([
        expect.stringContaining('kebab-case'),
      ]);
    },
  );

  test('two files of one name are refused, but every program has its main.ts', () => {
    const files = { 'src/a/rows.ts': '', 'src/b/rows.ts': '', 'src/main.ts': '', 'cli/main.ts': '' };
    expect(check(fileNamesAreKebabCaseAndUnique, files)).toEqual([
      expect.stringMatching(/^src\/b\/rows\.ts:1 src\/a\/rows\.ts has the same name/),
    ]);
  });

  test.each([
    'src/shop/orders/index.ts',
    'src/order-utils.ts',
    'src/common/money.ts',
    'src/order-service.ts',
  ])('a meaningless name is refused: %s', (path) => {
    expect(check(fileNamesSaySomething, { [path]: '' })).toEqual([expect.stringContaining('means nothing')]);
  });

  test('a function over 80 lines is refused; a list of operations counts each as one line', () => {
    const body = (count: number, indent = '  ') => `${indent}work();\n`.repeat(count);
    const problem = 'src/a.ts:1 long has 81 lines, over 80: take a part out by its task.';
    expect(check(functionsAreShort, { 'src/a.ts': `function long() {\n${body(79)}}\n` })).toEqual([problem]);
    expect(check(functionsAreShort, { 'src/a.ts': `function long() {\n${body(78)}}\n` })).toEqual([]);
    for (const text of [
      `class Clerk {\n  async long(a: string) {\n${body(79)}  }\n}\n`,
      `export const long = (a: string) => {\n${body(79)}};\n`,
      `function long(\n  a: string,\n): void {\n${body(77)}}\n`,
      `endpoint({\n  long: async ({ caller }) => {\n${body(79)}  },\n});\n`,
    ]) {
      expect(check(functionsAreShort, { 'src/a.ts': text })).toEqual([
        expect.stringContaining('long has 81 lines'),
      ]);
    }
    const operation = `    endpoint({\n${body(60, '      ')}    }),\n`;
    expect(
      check(functionsAreShort, {
        'src/a.ts': `function routes() {\n  return [\n${operation.repeat(4)}  ];\n}\n`,
      }),
    ).toEqual([]);
    expect(check(functionsAreShort, { 'src/a.test.ts': `function long() {\n${body(79)}}\n` })).toEqual([]);
  });

  test('a file over 500 lines is refused, and one over 1 MB', () => {
    for (const [path, lines] of [
      ['src/a.ts', 451],
      ['src/a.test.ts', 501],
      ['docs/A.md', 501],
    ] as const) {
      expect(check(filesAreSmall, { [path]: '\n'.repeat(lines) })).toEqual([
        expect.stringContaining(`${lines} lines`),
      ]);
    }
    expect(check(filesAreSmall, { 'contract/a.json': 'x'.repeat(2_200_001) })).toHaveLength(1);
    expect(check(filesAreSmall, { 'a.bin': 'x'.repeat(1_000_001) })).toEqual([
      expect.stringContaining('Over'),
    ]);
    expect(check(filesAreSmall, { 'src/a.ts': '\n'.repeat(450), 'src/a.test.ts': '\n'.repeat(500) })).toEqual(
      [],
    );
  });

  test('the name of a company is refused, in whatever case', () => {
    const text = `// as ${unwanted('Sales', 'FORCE')} does it`;
    expect(check(noVendorNames, { 'src/a.ts': text })).toEqual([
      expect.stringContaining('use a general term'),
    ]);
  });

  test('a trace of the development process is refused, and a path of one machine', () => {
    expect(check(textsSpeakOfTheProduct, { 'a.md': unwanted('Done as ', 'requested.') })).toHaveLength(1);
    expect(check(textsSpeakOfTheProduct, { 'a.md': unwanted('See /ho', 'me/someone/notes.') })).toHaveLength(
      1,
    );
    expect(check(textsSpeakOfTheProduct, { 'a.md': 'See https://example.com/home/start' })).toEqual([]);
  });
});

describe('prose', () => {
  test.each([
    ['src/a.ts', `// ${unwanted('No', 'body')} knows.`, 'no customer'],
    ['src/a.ts', `const reason = '${unwanted('No', 'body')} came';`, 'no customer'],
    ['src/a.ts', `/** A row of ${unwanted('some', 'body')} else. */`, 'another member of staff'],
    ['src/a.ts', `const ${unwanted('who', 'ever')}Asks = 1;`, 'the caller'],
    ['a.md', unwanted('An owner may every', 'thing.'), 'may do everything'],
    ['src/a.ts', `test('the price o${unwanted('f', ' now')}', work);`, 'current'],
    ['src/a.css', unwanted('/* All that', ' lies here */'), 'name the things'],
    ['src/a.ts', unwanted('/**\n * All\n * that', ' lies here\n */'), 'name the things'],
    ['src/a.ts', unwanted('// Not', 'hing that is kept.'), 'name the thing'],
    ['src/a.ts', unwanted('// The row, how', 'ever it is.'), 'ignored or accepted'],
    ['src/a.ts', unwanted('// The order where', 'in it lies.'), 'two plain words'],
    ['src/a.ts', unwanted('/** O', 'f an order, by month. */'), 'begin with the noun'],
  ])('a word that makes a reader read twice is refused in %s: %s', (path, text, instead) => {
    expect(check(proseIsPlain, { [path]: text })).toEqual([expect.stringContaining(instead)]);
  });

  test('the account of that name may be named', () => {
    const account = unwanted('no', 'body');
    const text = `postgres, ${account} or daemon; \`${account}\`; '${account}'; ${account}:x:65534`;
    expect(check(proseIsPlain, { 'a.md': text })).toEqual([]);
  });

  test('generated files, migrations and quotations of law are left as they are', () => {
    const text = unwanted('-- No', 'body');
    const paths = [
      'contract/v1.json',
      'docs/reference/a.md',
      'migrations/0001_a.sql',
      'src/engines/jurisdictions/us-ca.ts',
    ];
    for (const path of paths) expect(check(proseIsPlain, { [path]: text })).toEqual([]);
  });
});

describe('documents', () => {
  test.each(['[a](b.md)', '[a](../README.md)', '[a](#nothing)', '[a](page.md#nothing)'])(
    'a broken link is refused: %s',
    (link) => {
      expect(check(linksResolve, { 'docs/page.md': `# Some thing\n${link}\n` })).toHaveLength(1);
    },
  );

  test('links to files, folders, headings and other hosts are valid', () => {
    const page =
      '# Some thing: `it`\n[a](../README.md) [b](../docs) [c](#some-thing-it) [d](https://example.com)';
    expect(check(linksResolve, { 'docs/page.md': page, 'README.md': '' })).toEqual([]);
  });

  test('a comment that names a missing document is refused', () => {
    const files = { 'src/a.ts': '// docs/PAGE.md, plans.md', 'docs/PAGE.md': '' };
    expect(check(mentionedDocumentsExist, files)).toEqual([expect.stringContaining('no plans.md')]);
  });

  test('the page of errors has every code and no other', () => {
    const pageOf = (codes: readonly string[]) => ({
      'contract/errors.md': codes.map((code) => `### ${code}\n`).join(''),
    });
    const [first, ...rest] = errorCodes;
    expect(check(errorsPageNamesEveryCode, pageOf(errorCodes))).toEqual([]);
    expect(check(errorsPageNamesEveryCode, pageOf(rest))).toEqual([
      expect.stringContaining(`${first} is missing`),
    ]);
    expect(check(errorsPageNamesEveryCode, pageOf([...errorCodes, 'OTHER']))).toEqual([
      expect.stringContaining('No OTHER exists'),
    ]);
  });

  test('a cited decision must exist', () => {
    const files = {
      'docs/PRODUCT.md': '**D1** Two addresses.\n',
      'docs/product/orders.md': '**D3** An order.\n',
      'src/a.ts': '// D1, D2, D3: 3D4, UUID-D5\n',
    };
    expect(check(citedDecisionsExist, files)).toEqual([expect.stringContaining('src/a.ts:1 D2 is not in')]);
  });

  test('a number of a decision in what users read', () => {
    const files = { 'docs/BULK.md': 'As D104 says.\n', 'docs/PRODUCT.md': '**D104** Pages.\n' };
    expect(check(usersReadNoDecisionNumbers, files)).toEqual([
      expect.stringContaining('docs/BULK.md:1 D104 means nothing to a user'),
    ]);
  });
});

test('masking keeps positions, and distinguishes division from regular expressions and code in templates from text', () => {
  const source = "a / b; c = /'[/]/g; `x ${d(`y`)} /*`; // e\n'\\'f'";
  expect(maskCode(source, { texts: true })).toBe("a / b; c = /    /g; `  ${d(` `)}   `;     \n'   '");
  expect(maskCode(source, { texts: false })).toBe(source.replace('// e', '    '));
});
