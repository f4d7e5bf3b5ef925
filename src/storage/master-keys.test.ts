import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strongRandomBytes } from '../kernel/random-bytes.ts';
import { MasterKeys } from './master-keys.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dispensary-master-'));
  path = join(dataDir, 'document-master-key');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const load = () => new MasterKeys({ dataDir, documentMasterKeys: [] }).load(strongRandomBytes);

test('the first to ask makes the key, and the next one finds it', async () => {
  const [made] = await load();
  expect(await load()).toEqual([made]);
  expect(readFileSync(path, 'utf8')).toBe(`${Buffer.from(made.key).toString('base64')}\n`);
});

test('a file that was damaged is named, with the line and without what it says', async () => {
  writeFileSync(path, `${Buffer.alloc(32, 1).toString('base64')}\nc2hvcnQ=\n`);
  await expect(load()).rejects.toThrow(`${path} cannot be read: line 2 is not 32 bytes in Base64. Restore`);
  await expect(load()).rejects.not.toThrow('c2hvcnQ');
});

test('what cannot be opened is named', async () => {
  mkdirSync(path);
  await expect(load()).rejects.toThrow(`The master key of documents in ${path} cannot be read: EISDIR`);
});
