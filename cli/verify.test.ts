import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { pageBytes, pageChecksum } from '../src/hosting/embedded-postgres/page-checksums.ts';
import { openTradedShop } from '../src/hosting/verification/damaged-shop.test-support.ts';
import type { VerificationReport } from '../src/hosting/verification/verification.ts';
import { layCluster } from '../test/harness/made-cluster.ts';
import { execute } from '../test/harness/test-connection.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
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
  const service = await startOwnTestService({ database, dataFolder: whole, documentMasterKeys: [] });
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

describe('damage to the files of the database', () => {
  let findings: VerificationReport['findings'];

  beforeAll(async () => {
    const copy = join(folder, 'damaged');
    // Much faster than Node's own copy of a thousand files.
    await promisify(execFile)('cp', ['-a', whole, copy]);
    const file = (relation: string) => join(copy, 'postgres', paths[relation]!);
    const bytes = readFileSync(file('orders'));
    const at = pageBytes - 100;
    await overwrite(file('orders'), at, Uint8Array.of(bytes[at]! ^ 4));
    await truncate(file('order_taxes'), 0);
    await rm(file('customers'));
    const index = readFileSync(file('audit_entries_pkey'));
    // The first leaf loses its entries, and gets the checksum of what is left.
    const page = Buffer.from(index.subarray(pageBytes, 2 * pageBytes));
    page.writeUInt16LE(24, 12);
    page.writeUInt16LE(pageChecksum(page, 1), 8);
    await overwrite(file('audit_entries_pkey'), pageBytes, page);
    const { exitCode, report } = await verify(copy);
    expect(exitCode).toBe(1);
    findings = report!.findings;
  }, clusterLifeMs);

  test.each([
    ['a flipped bit', 'page-checksums', 'orders'],
    ['a table that is cut off', 'rows-by-index', 'order_taxes'],
    ['a lost file of a table', 'tables', 'customers'],
    ['an index without the rows of its table', 'indexes', 'audit_entries_pkey'],
  ])('is found and named: %s', (_, check, relation) => {
    const place = check === 'page-checksums' ? `postgres/${paths[relation]}` : relation;
    expect(findings).toContainEqual(expect.objectContaining({ check, place }));
  });
});

test('a folder that is no data folder is refused', async () => {
  const { exitCode, err } = await verify(folder);
  expect(exitCode).toBe(2);
  expect(err).toContain('it is no data folder, and no backup');
});
