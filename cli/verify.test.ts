import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts';
import { pageBytes, pageChecksum } from '../src/embedded-postgres/page-checksums.ts';
import { openTradedShop } from '../src/verification/damaged-shop.test-support.ts';
import type { VerificationReport } from '../src/verification/verification.ts';
import { layCluster } from '../test/harness/made-cluster.ts';
import { execute } from '../test/harness/test-connection.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { runCommandLine } from './run-command-line.ts';

/** Copies a cluster and starts it: seconds on a busy machine. */
const clusterLifeMs = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'dispensary verify-'));
const whole = join(folder, 'whole');
/** The files of some relations, below `postgres`. */
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  await layCluster(whole);
  const server = await startEmbeddedPostgres({
    dataDir: whole,
    onProgress: () => {},
    settings: { fsync: 'off' },
  });
  const database = { owner: server.ownerConnection, serving: server.servingConnection, drop: async () => {} };
  const service = await startTestService({ database, dataFolder: whole, documentMasterKeys: [] });
  await openTradedShop(service, 3);
  const found = await execute(
    server.ownerConnection,
    `select relname as name, pg_relation_filepath(oid) as path from pg_class
      where relname in ('orders', 'order_taxes', 'customers', 'audit_entries_pkey')`,
  );
  paths = Object.fromEntries(found.map(({ name, path }) => [name, path]));
  await service.close();
  await server.stop();
}, clusterLifeMs);
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(path: string) {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['verify', path, '--json'], {
    env: {},
    folder,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { exitCode, err, report: (out === '' ? null : JSON.parse(out)) as VerificationReport | null };
}

/** The findings after some damage to a copy. */
async function findingsAfter(damage: (file: (relation: string) => string) => Promise<void>) {
  const copy = join(folder, 'damaged');
  await rm(copy, { recursive: true, force: true });
  await cp(whole, copy, { recursive: true, preserveTimestamps: true });
  await damage((relation) => join(copy, 'postgres', paths[relation]!));
  const { exitCode, report } = await verify(copy);
  expect(exitCode).toBe(1);
  return report!.findings;
}

async function overwrite(path: string, position: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, position);
  await file.close();
}

test('a whole folder is whole, is left as it is, and its progress is told', async () => {
  const controlFile = join(whole, 'postgres', 'global', 'pg_control');
  const before = readFileSync(controlFile);
  const { exitCode, report, err } = await verify(whole);
  expect(report!.findings).toEqual([]);
  expect(exitCode).toBe(0);
  expect(err).toContain('100 % organization');
  expect(readFileSync(controlFile).equals(before)).toBe(true);
  expect(report!.checks.filter(({ skipped }) => skipped !== null)).toEqual([]);
}, 60_000);

describe('damage to the files of the database is found and named:', () => {
  test('a flipped bit of a page', async () => {
    const found = await findingsAfter(async (file) => {
      const bytes = readFileSync(file('orders'));
      const at = pageBytes - 100;
      await overwrite(file('orders'), at, Uint8Array.of(bytes[at]! ^ 4));
    });
    const named = { check: 'page-checksums', place: `postgres/${paths.orders}`, row: 'page 0' };
    expect(found).toContainEqual(expect.objectContaining(named));
  }, 60_000);

  test('a table that is cut off', async () => {
    const found = await findingsAfter((file) => truncate(file('order_taxes'), 0));
    expect(found).toContainEqual(expect.objectContaining({ check: 'rows-by-index', place: 'order_taxes' }));
  }, 60_000);

  test('a lost file, and an index that does not have the rows of its table', async () => {
    const found = await findingsAfter(async (file) => {
      await rm(file('customers'));
      // Of the index the first leaf is as new, with the right checksum.
      const bytes = readFileSync(file('audit_entries_pkey'));
      const page = Buffer.from(bytes.subarray(pageBytes, 2 * pageBytes));
      // No entries: the free space begins at the first one.
      page.writeUInt16LE(24, 12);
      page.writeUInt16LE(pageChecksum(page, 1), 8);
      await overwrite(file('audit_entries_pkey'), pageBytes, page);
    });
    expect(found).toContainEqual(expect.objectContaining({ check: 'tables', place: 'customers' }));
    expect(found).toContainEqual(expect.objectContaining({ check: 'indexes', place: 'audit_entries_pkey' }));
  }, 60_000);
});

test('a folder that is no data folder is refused', async () => {
  const { exitCode, err } = await verify(folder);
  expect(exitCode).toBe(2);
  expect(err).toContain('it is no data folder, and no backup');
});
