import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import { MasterKeys } from './master-keys.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dispensary-master-'));
  path = join(dataDir, 'document-master-key');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const load = () => new MasterKeys({ dataDir, documentMasterKeys: [] }).load(strongRandomBytes);

test('the first use creates the key, and the next one finds it', async () => {
  const [made] = await load();
  expect(await load()).toEqual([made]);
  expect(readFileSync(path, 'utf8')).toBe(`${Buffer.from(made.key).toString('base64')}\n`);
});

test('a damaged file is named with the line, without its content', async () => {
  writeFileSync(path, `${Buffer.alloc(32, 1).toString('base64')}\nc2hvcnQ=\n`);
  await expect(load()).rejects.toThrow(`${path} cannot be read: line 2 is not 32 bytes in Base64. Restore`);
  await expect(load()).rejects.not.toThrow('c2hvcnQ');
});

test('a file that cannot be opened is named', async () => {
  mkdirSync(path);
  await expect(load()).rejects.toThrow(
    `The master key of documents in ${path} cannot be read: it is a folder`,
  );
});

test.each(['', '\n\n'])(
  'a file without a key is refused, so that no new key hides the loss',
  async (text) => {
    writeFileSync(path, text);
    await expect(load()).rejects.toThrow(
      `${path} cannot be read: it is empty. Restore the file from a backup`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a dangling link is refused', async () => {
  symlinkSync(join(dataDir, 'not-mounted'), path);
  await expect(load()).rejects.toThrow(`${path} cannot be read: it is a link to a missing file`);
});

test('a file that disappears while the service runs is an error, and is not replaced', async () => {
  const keys = new MasterKeys({ dataDir, documentMasterKeys: [] });
  await keys.load(strongRandomBytes);
  rmSync(path);
  await expect(keys.load(strongRandomBytes)).rejects.toThrow(
    `${path} cannot be read: it does not exist any more`,
  );
  expect(existsSync(path)).toBe(false);
});
