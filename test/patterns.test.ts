import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { analyse } from 'scslre';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { projectFolder } from '../src/kernel/project-folder.ts';

/*
 * Every regular expression of the program takes time in proportion to its text: a text of 100 KB that is looked at again for each of
 * its letters keeps everyone waiting for seconds.
 */

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly path: string;
}

/** The patterns that take longer than their text, and why none of their texts is long. */
const bounded: Readonly<Record<string, string>> = {
  'src/access/staff/password-rules.ts /^[^\\p{L}]+|[^\\p{L}]+$/gu': 'a password has at most 1,024 letters',
  'src/platform/schema/distributed-migration.ts /^\\s*--.*$/gm': 'our own migrations',
  'src/platform/schema/migration-effects.ts /--.*$/gm': 'our own migrations',
  'src/platform/schema/migration-effects.ts /^\\s*-- (?:expand|locks): \\S/m': 'our own migrations',
  'src/platform/connections/server-addresses.ts /^(postgres(?:ql)?:\\/\\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s':
    'a setting of the operator; its parts share no letter',
  'src/app/guides/guides-pages.ts /\\[([^\\]]*)\\]\\([^)]*\\)/g': 'our own guides',
  'src/app/guides/assistant-texts.ts /<[^>]*>/g': 'our own guides',
  'src/app/guides/docs-search.ts /<[^>]*>/g': 'our own guides',
  'src/app/guides/changes-pages.ts /[*`[\\]]|\\([^)]*\\)/g': 'our own CHANGELOG',
  'src/platform/http/route-table.ts /\\{([^}]+)\\}/g': 'our own paths',
  'src/platform/http/unknown-routes.ts /\\{[^}]+\\}/g': 'our own paths',
  'src/shop/imports/cell-values.ts /^[\\d.,]+[^\\d]*$/': 'a measure, which has at most 100 letters',
  'src/kernel/contacts.ts /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/': 'an email of at most 254 letters',
  'src/kernel/contacts.ts /\\+.*$/': 'an email of at most 254 letters',
  'src/kernel/contacts.ts /^@[^\\s@]+\\.[^\\s@]+$/':
    'an entry of at most 254 letters of the list of placeholders',
  'src/kernel/decimal.ts /\\.?0+$/': 'a decimal that was computed',
  'src/shop/orders/order-mails.ts /\\B(?=(?:\\d{3})+$)/g': 'a number of dollars',
  'src/hosting/startup/config.ts /\\/+$/': 'a setting of the operator',
  'cli/prometheus-text.ts /(\\w+)="((?:[^"\\\\]|\\\\.)*)"/g': 'a line of our own metrics',
  'cli/restore-plan.ts /^s3:\\/\\/([^/]+)\\/?(.*?)\\/?$/': 'an argument of the operator',
  'cli/sandbox-client.ts /\\/+$/': 'an argument of the operator',
  'cli/status-command.ts /\\/+$/': 'an argument of the operator',
  'cli/verify-folder.ts /\\/+$/': 'an argument of the operator',
  'sdk/integrator/src/page-failure.ts /\\/+$/': 'an address that the integrator sets',
  'sdk/integrator/src/transport.ts /\\/+$/': 'an address that the integrator sets',
  'console/src/screens/purchasing/amount-left.ts /0+$/': 'a decimal that was computed',
  'src/platform/connections/migration-files.ts /^\\s*--.*$/gm': 'our own migrations',
  'src/shop/promotions/decimal-amount.ts /\\.?0+$/': 'a decimal of at most 30 digits',
  'console/src/scanner/license-text.ts /;\\d{6,}=\\d{12,}[^?]*\\?/': 'what a scanner types into this browser',
  "console/src/scanner/license-text.ts /\\d{4,}(?:DL|ID)\\d{8}|\\bDAQ[A-Z]?\\d{5}|\\bDB[ABD]\\d{6,8}\\b|\\bDAK\\d{5}|\\bDCS[A-Z'\u2019-]{2}/i":
    'what a scanner types into this browser',
  "console/src/scanner/license-text.ts /\\^[A-Z' .-]+[$,][A-Z' .$,-]*\\^?|\\d{6,}=\\d{8}/i":
    'what a scanner types into this browser',
  'src/platform/http/public-address.ts /\\.+$/': 'a host of a parsed address of at most 2,000 letters',
  'console/src/scale/scale-reading.ts /([+-]?)\\s*(\\d+(?:\\.\\d+)?|\\.\\d+)\\s*(mg|kg|g|ozt|oz|lb|ct|GN|dwt)?\\b/i':
    'at most 60 letters of a line of a scale',
  'console/src/parts/far-off.ts /^-?(\\d*)\\.?(\\d*)$/': 'what a person types into a field of a number',
  'console/src/screens/point-of-sale/line-numbers.ts /0+$/': 'six decimals',
  'console/src/screens/purchasing/order-low.tsx /^0*\\.?0*$/': 'what a person types into a field of a number',
};

const folders = ['src', 'cli', 'seed', 'sdk/src', 'sdk/integrator/src', 'console/src'];

function patternsOf(path: string): Pattern[] {
  const text = readFileSync(join(projectFolder(), path), 'utf8');
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex !== undefined) found.push({ source: regex.pattern, flags: regex.flags, path });
    else Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program);
  return found;
}

const patterns = folders
  .flatMap((folder) =>
    readdirSync(join(projectFolder(), folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\.test-support\.|node_modules|generated/.test(path))
  .flatMap(patternsOf);

const isSlow = ({ source, flags }: Pattern) => analyse({ source, flags }).reports.length > 0;
/** Texts that careless patterns look at again for each of their letters. */
const units = [
  ...[
    '<p ',
    '<a',
    '<!--',
    '&',
    '&#',
    '[',
    '](',
    '[a](',
    '(',
    '*',
    '_',
    '`',
    '> ',
    '# ',
    '- ',
    '\\',
    ' ',
    '\t',
    '\n',
  ],
  ...[
    '\r\n',
    '\n ',
    '"',
    "'",
    ',',
    ';',
    '|',
    '{',
    '}',
    '0',
    '9',
    '9,',
    '9.',
    '1-',
    '%',
    'a',
    'A',
    'a.',
    'a-',
    'a@',
    'a@a.',
  ],
  ...['/', '//', 'http://', '@', ':', '=', 'a=', '\u0000', 'é'],
];
const letters = 32_000;
/** What is linear takes a hundredth of it. */
const slowMs = 60;

/** The signs that a pattern spells out, alone and in pairs: a text of them begins to fit again and again. */
function ownUnits(source: string): string[] {
  const plain = source.replace(/\[(?:\\.|[^\]\\])*\]|\\[a-zA-Z]\w*|\(\?[:=!<]+/g, '');
  const signs = [...new Set(plain.replace(/[()[\]{}?*+|^$.\\]/g, ''))].slice(0, 5);
  return signs.flatMap((one) => [one, ...signs.flatMap((two) => [one + two, `${one}${two} `])]);
}

/** Milliseconds of the processor for the worst of many texts. */
function slowestMs({ source, flags }: Pattern): number {
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
  let slowest = 0;
  for (const unit of new Set([...units, ...ownUnits(source)])) {
    const text = `${unit.repeat(letters / unit.length)}\u0001`;
    // Once more, because the processor also collects garbage meanwhile.
    const spent = spentMs(pattern, text);
    slowest = Math.max(slowest, spent > slowMs ? Math.min(spent, spentMs(pattern, text)) : spent);
    if (slowest > slowMs) return slowest;
  }
  return slowest;
}

function spentMs(pattern: RegExp, text: string): number {
  const before = process.cpuUsage();
  pattern.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const nameOf = ({ path, source, flags }: Pattern) => `${path} /${source}/${flags}`;

test('every pattern is linear, or its texts are short for a reason', () => {
  expect(patterns.length).toBeGreaterThan(400);
  expect([...new Set(patterns.filter(isSlow).map(nameOf))].sort()).toEqual(Object.keys(bounded).sort());
});

test('no pattern takes long for 32,000 letters that begin to fit again and again', () => {
  const checked = patterns.filter((pattern) => !Object.hasOwn(bounded, nameOf(pattern)));
  expect([...new Set(checked.filter((pattern) => slowestMs(pattern) > slowMs).map(nameOf))]).toEqual([]);
});

/** Prints the patterns that the program makes of parts while it loads. In a process of its own: modules are loaded once. */
const tellMade = `
  const made = new Map();
  const NativeRegExp = globalThis.RegExp;
  globalThis.RegExp = new Proxy(NativeRegExp, {
    construct: (target, [source, flags = ''], newTarget) => {
      const caller = (new Error().stack ?? '').split('\\n').find((line) => /\\/(?:src|node_modules)\\//.test(line));
      const [, path] = /^(?!.*node_modules).*\\/(src\\/[\\w./-]+)/.exec(caller ?? '') ?? [];
      if (path !== undefined && typeof source === 'string') made.set(source, { source, flags, path });
      return Reflect.construct(target, [source, flags], newTarget);
    },
  });
  const { readMeasure } = await import('./src/engines/goods/measured-text.ts');
  await import('./src/app/app.ts');
  if (readMeasure('3.5 g') === null) throw new Error('A measure is not read any more.');
  console.log(JSON.stringify([...made.values()]));
  process.exit();
`;

test('patterns that are made of parts are linear', async () => {
  const words = ['--import', 'tsx', '--input-type=module', '--eval', tellMade];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: projectFolder() });
  const made = JSON.parse(stdout) as Pattern[];
  expect(made.length).toBeGreaterThan(8);
  expect(made.filter(isSlow).map(nameOf).sort()).toEqual([]);
});

test('the checker finds what was slow', () => {
  for (const source of [
    String.raw`<\/?(?:p|br|div)(?:\s[^>]*)?\/?>`,
    String.raw`\[([^\]]+)\]\((\S+?)\)`,
    String.raw`^(.*?)[\s:=]+(\.?\d[\d.]*)\s*%?$`,
  ]) {
    const pattern = { source, flags: '', path: '' };
    expect([source, isSlow(pattern) || slowestMs(pattern) > slowMs]).toEqual([source, true]);
  }
});
