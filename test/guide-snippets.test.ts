import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createStaff } from '../src/access/staff/staff.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { createSandbox } from '../src/shop/sandbox/sandbox.ts';
import { connectionUrl } from './harness/test-connection.ts';
import { startOwnTestService } from './harness/test-service.ts';
import { createTestKeys, createTestShop, testOrigin } from './harness/test-shop.ts';
import { buildProgram, layBuilt } from './simulation/built-program.ts';

const guides = join(projectFolder(), 'docs', 'guides');
const textOf = (name: string) => readFileSync(join(guides, name), 'utf8');
/** The other guides begin with its first commands. */
const firstGuide = basename('docs/guides/first-order.md');

interface Snippet {
  readonly code: string;
  /** The JSON that the guide shows as its output. */
  readonly shown: string | null;
}

/** The shell commands of a guide, in order, each with the output that stands below it. */
function snippetsOf(guide: string): Snippet[] {
  const blocks = [...guide.matchAll(/```(\w*)\n(.*?)```/gs)];
  return blocks.flatMap(([, language, code], index): Snippet[] => {
    const [, next, output] = blocks[index + 1] ?? [];
    return language === 'sh' ? [{ code: code!, shown: next === 'json' ? output! : null }] : [];
  });
}

/** Codes, messages and other fixed values; names, ids and amounts differ from shop to shop. */
const isFixed = (value: unknown, path: string) =>
  typeof value === 'boolean' || /^[A-Z_]{4,}$/.test(String(value)) || /\.message$/.test(path);
const isUuid = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));

/** The places of `shown` that `actual` does not have, or has with another type or fixed value. */
function differences(shown: unknown, actual: unknown, path = ''): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [path];
    return actual.length === 0 || shown.length === 0 ? [] : differences(shown[0], actual[0], `${path}[0]`);
  }
  if (shown !== null && typeof shown === 'object') {
    if (actual === null || typeof actual !== 'object') return [path];
    return Object.entries(shown).flatMap(([name, value]) =>
      name in actual
        ? differences(value, (actual as Record<string, unknown>)[name], `${path}.${name}`)
        : [`${path}.${name}`],
    );
  }
  if (shown === null || actual === null) return shown === null || path.endsWith('At') ? [] : [path];
  const isAlike = typeof shown === typeof actual && isUuid(shown) === isUuid(actual);
  return !isAlike || (isFixed(shown, path) && shown !== actual) ? [path] : [];
}

/** The shop of the guides stands for the demo's. */
const demoOrganizations: number[] = [];
const service = await startOwnTestService({ demoOrganizations });
const addresses = await service.listen();
const built = await buildProgram();
const command = await layBuilt(built, 'cli/main.ts', 'dispensary.mjs');
const folders: string[] = [];
afterAll(async () => {
  await service.close();
  await built.remove();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder as `npm start` leaves it, with the project's command. */
async function startedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  folders.push(folder);
  mkdirSync(join(folder, 'data'));
  // Strict keys refuse a parameter that does not exist; others ignore it.
  const shop = await createTestShop(service.context, { key: { strict: true } });
  demoOrganizations.push(shop.organizationId);
  const origins = ['http://localhost:5173'];
  const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
    permissions: ['menu', 'create-orders'],
    origins,
    strict: true,
  });
  const sandbox = await createSandbox(service.context, testOrigin, shop.integrator);
  const staff = {
    email: `owner-${shop.organizationId}@shop.example.com`,
    password: 'a password of the demo',
  };
  await createStaff(service.context, testOrigin, shop.organizationId, [
    { ...staff, firstName: 'Marisol', lastName: 'Okafor', role: 'owner' },
  ]);
  const pages = { publishableKey: keys.clientKey, origins };
  const demo = {
    ...addresses,
    organizations: [{ id: 1, name: 'Juniper Quay', ...shop.keys, ...pages, staff }],
    sandbox,
  };
  writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(demo));
  writeFileSync(join(folder, 'dispensary.mjs'), `import ${JSON.stringify(command)};`);
  return folder;
}

/** This one begins with an empty database, and has no keys. */
const emptyGuide = basename('docs/guides/open-a-shop.md');
const separator = '-- next snippet --';
const setUp = snippetsOf(textOf(firstGuide))[0]!;
/** Follows the shop until it is stopped; the tests of the command run it. */
const endless = /dispensary.mjs mirror --to/;

const followed = readdirSync(guides).filter(
  (name) => name !== emptyGuide && snippetsOf(textOf(name)).length > 0,
);

test.for(followed)('the commands of %s work, and print what it shows', async (name) => {
  const own = snippetsOf(textOf(name)).filter(({ code }) => !endless.test(code));
  await follow(name === firstGuide ? own : [setUp, ...own], await startedFolder(), {});
});

test('an empty database becomes a shop that sells by the commands of its guide', async () => {
  const empty = await startOwnTestService();
  const { port } = new URL((await empty.listen()).baseUrl);
  const settings = { PORT: port, DATABASE_URL: connectionUrl(empty.database.owner) };
  await follow(snippetsOf(textOf(emptyGuide)), await startedFolder(), settings);
  await empty.close();
});

/** Runs the commands in the folder, and compares what they print with what the guide shows. */
async function follow(snippets: readonly Snippet[], folder: string, settings: NodeJS.ProcessEnv) {
  const script = snippets.map(({ code }) => code).join(`\necho; echo '${separator}'\n`);
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...settings },
  });
  const [[exitCode], out, errors] = await Promise.all([
    once(shell, 'exit'),
    text(shell.stdout),
    text(shell.stderr),
  ]);
  expect({ exitCode, errors }, out).toEqual({ exitCode: 0, errors: '' });
  const outputs = out.split(`${separator}\n`);
  expect(outputs).toHaveLength(snippets.length);
  for (const [index, { shown }] of snippets.entries()) {
    if (shown === null) continue;
    expect(differences(JSON.parse(shown), JSON.parse(outputs[index]!)), outputs[index]).toEqual([]);
  }
}

test.for(readdirSync(guides))('the lines of programs in %s stand in the program that it links', (name) => {
  const guide = textOf(name);
  // Programs in `docs/examples`; whole shops are in `examples` of the project.
  const linked = [...guide.matchAll(/(?<!\.\.\/)\.\.\/examples\/([\w.-]+)/g)].map(([, file]) => file!);
  const programs = linked
    .map((file) => readFileSync(join(guides, '..', 'examples', file), 'utf8'))
    .join('\n');
  const lines = [...guide.matchAll(/```ts\n(.*?)```/gs)]
    .flatMap(([, code]) => code!.split('\n'))
    .map((line) => line.replace(/\s*\/\/.*/, '').trim());
  expect(lines.filter((line) => !programs.includes(line))).toEqual([]);
});

test('an output that differs in a field, a type or a code is found', () => {
  const shown = { error: { code: 'OUT_OF_STOCK' }, rows: [{ id: 1 }] };
  expect(differences({ message: 'Not so.' }, { message: 'Not so' })).toEqual(['.message']);
  expect(differences({ id: '5021' }, { id: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37' })).toEqual(['.id']);
  expect(differences(shown, { error: { code: 'OUT_OF_STOCK' }, rows: [{ id: 7 }] })).toEqual([]);
  expect(differences(shown, { error: { code: 'PRICE_CHANGED' }, rows: [{ id: '7' }] })).toEqual([
    '.error.code',
    '.rows[0].id',
  ]);
  expect(differences(shown, { error: {}, rows: [] })).toEqual(['.error.code']);
});
