import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../kernel/project-folder.ts';
import { strongRandomBytes } from '../kernel/random-bytes.ts';
import { createLogger } from '../platform/http/logging.ts';
import { type Environment, type KeyKind, makeKey } from './api-keys.ts';

/** All kinds; the type makes a new kind a compile error here. */
const kinds: Readonly<Record<KeyKind, true>> = {
  dcc: true,
  dck: true,
  dcp: true,
  dcs: true,
  dci: true,
  dcr: true,
  dcv: true,
  dch: true,
  dco: true,
  dcu: true,
};
const environments: readonly Environment[] = ['production', 'staging'];

test('every kind of key and token is in the inventory', () => {
  const inventory = readFileSync(join(projectFolder(), 'docs/INVENTORIES.md'), 'utf8');
  for (const kind of Object.keys(kinds)) expect(inventory).toContain(`| \`${kind}_\` |`);
});

test('a key of any kind is masked anywhere in a log line', () => {
  for (const kind of Object.keys(kinds) as KeyKind[]) {
    for (const environment of environments) {
      const key = makeKey(kind, environment, strongRandomBytes);
      const lines: string[] = [];
      const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
      logger.info({ path: `/console/invitation#${key}`, [key]: 1 }, `of ${key}`);
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain(key.slice(9));
    }
  }
});
