import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { openAnchorStores } from '../src/hosting/startup/audit-anchors.ts';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { checkAuditChain, readAnchors } from '../src/hosting/verification/check-audit-chain.ts';
import { FindingList } from '../src/hosting/verification/finding.ts';
import { VerifiedSnapshot } from '../src/hosting/verification/verified-snapshot.ts';
import { concerns } from '../src/kernel/concerns.ts';
import { isoTimestamp } from '../src/kernel/local-time.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import { Database } from '../src/platform/database/database.ts';
import { anchorAudit } from '../src/platform/events/anchor-audit.ts';
import { linkAuditEntries } from '../src/platform/events/audit-chain.ts';
import { selectOrganizationsToAnchor } from '../src/platform/events/audit-chain-queries.ts';
import { purgeEvents } from '../src/platform/events/purge-events.ts';
import { refuseWith, startTestBucket } from '../test/harness/test-bucket.ts';
import { onDatabase } from '../test/harness/test-connection.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../test/harness/test-shop.ts';
import type { Result } from './command.ts';
import { commands } from './commands.ts';
import type { Deployment } from './deployment.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-audit-'));
const service = await startOwnTestService();
const { context } = service;
const operator = new Database(service.database.owner, 2);
const { owner: login } = service.database;
const databaseName = login.connectionString
  ? new URL(login.connectionString).pathname.slice(1)
  : login.database!;
const intruder = new Client(onDatabase(inject('server').admin, databaseName));
await intruder.connect();
const bucket = await startTestBucket();
afterAll(async () => {
  await Promise.all([intruder.end(), operator.close(), service.close(), bucket.close()]);
  rmSync(folder, { recursive: true });
});

const config = loadConfig({ DATA_DIR: folder }, folder);

function dispensary(name: string, options: Record<string, string>): Promise<Result> {
  const deployment = {
    ...{ config, context, operator, database: service.database, waiting: [] },
    ...{ say: () => {}, screen: { write: () => {} } },
  } as unknown as Deployment;
  return commands[name]!.run!(deployment, options);
}

const verify = (shop: TestShop, options: Record<string, string> = {}) =>
  dispensary('audit verify', { organization: String(shop.organizationId), ...options });

const anchorFile = (shop: TestShop) =>
  join(config.anchorFolder, `organization-${shop.organizationId}.ndjson`);

async function anchor(shop: TestShop): Promise<void> {
  await linkAuditEntries(context, shop.organizationId);
  await anchorAudit(
    context,
    openAnchorStores(config, () => {}),
    shop.organizationId,
  );
}

test('a whole log is said to be whole, with its anchors; a changed entry is named, and the exit code is 1', async () => {
  const shop = await createTestShop(context);
  await service.staff(shop);
  await anchor(shop);
  const whole = await verify(shop);
  expect(whole.exitCode).toBe(0);
  expect(whole.lines).toEqual([
    expect.stringMatching(/^Organization \d+: the audit log is whole \(\d+ entries, 1 anchor\)$/),
  ]);
  const { rows } = await intruder.query(
    `update audit_entries set actor = 'staff:999' where organization_id = $1 and id = (
       select max(id) from audit_entries where organization_id = $1) returning id`,
    [shop.organizationId],
  );
  const forged = await verify(shop);
  expect(forged.exitCode).toBe(1);
  expect(forged.lines.join('\n')).toContain(`entry ${rows[0].id} is not what link`);
  expect(forged.data).toMatchObject([
    {
      organizationId: shop.organizationId,
      faultCount: 1,
      faults: [{ kind: 'changed', entryId: Number(rows[0].id) }],
    },
  ]);
});

test('an anchor is a line of a file that only its owner can read, and comes when the log has grown', async () => {
  const shop = await createTestShop(context);
  await anchor(shop);
  const once = readFileSync(anchorFile(shop), 'utf8');
  await anchor(shop);
  expect(readFileSync(anchorFile(shop), 'utf8')).toBe(once);
  expect(statSync(anchorFile(shop)).mode & 0o77).toBe(0);
  // A crash has left half a line.
  appendFileSync(anchorFile(shop), '{"organizationId":');
  await service.staff(shop);
  await anchor(shop);
  const lines = readFileSync(anchorFile(shop), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ organizationId: shop.organizationId }),
    expect.objectContaining({
      organizationId: shop.organizationId,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    }),
  ]);
  expect((await verify(shop)).exitCode).toBe(0);
});

test('the service writes the first anchor soon, and the next one an hour later', async () => {
  const shop = await createTestShop(context);
  await linkAuditEntries(context, shop.organizationId);
  const due = async (afterMs: number) => {
    const before = isoTimestamp(context.wallClock.now() + afterMs - 3_600_000);
    const rows = await operator.global(selectOrganizationsToAnchor({ before }));
    return rows.some(({ id }) => id === shop.organizationId);
  };
  expect(await due(0)).toBe(true);
  await anchor(shop);
  await service.staff(shop);
  await linkAuditEntries(context, shop.organizationId);
  expect(await due(3_599_000)).toBe(false);
  expect(await due(3_601_000)).toBe(true);
});

test('a log that was rewritten whole is found by its anchors, in the folder and in the bucket', async () => {
  const shop = await createTestShop(context);
  const stores = openAnchorStores({ anchorFolder: config.anchorFolder, bucket: bucket.settings }, () => {});
  await linkAuditEntries(context, shop.organizationId);
  await anchorAudit(context, stores, shop.organizationId);
  // All of it is made anew from a log that was tampered with.
  const { organizationId: id } = shop;
  await intruder.query('delete from audit_links where organization_id = $1', [id]);
  await intruder.query('delete from audit_chains where organization_id = $1', [id]);
  await intruder.query(`update audit_entries set actor = 'staff:999' where organization_id = $1`, [id]);
  await linkAuditEntries(context, id);
  const found = await verify(shop);
  expect(found.exitCode).toBe(1);
  expect(found.lines.join('\n')).toContain('the chain was rewritten');
  // Without the file, the bucket still has them.
  writeFileSync(anchorFile(shop), '');
  const [ofFolder, ofBucket] = await Promise.all(stores.map((store) => store.read(id)));
  expect(ofFolder).toEqual([]);
  expect(ofBucket).toMatchObject([{ organizationId: id }]);
});

test('a bucket that cannot be reached, and a line that is no anchor, are said', async () => {
  const shop = await createTestShop(context);
  await linkAuditEntries(context, shop.organizationId);
  const stores = openAnchorStores({ anchorFolder: config.anchorFolder, bucket: bucket.settings }, () => {});
  bucket.interfere = refuseWith(403, 'AccessDenied');
  await expect(anchorAudit(context, stores, shop.organizationId)).rejects.toThrow('file store');
  bucket.interfere = undefined;
  await anchorAudit(context, stores, shop.organizationId);
  writeFileSync(anchorFile(shop), 'something else\n');
  await expect(verify(shop)).rejects.toThrow('line 1 is no anchor of the audit log');
  // The verification of all data goes on.
  const found = new FindingList();
  const snapshot = new VerifiedSnapshot(service.database.serving, patientDeadlines, found);
  await checkAuditChain(
    snapshot,
    shop.organizationId,
    await readAnchors(shop.organizationId, stores, found),
    found,
  );
  await snapshot.close();
  expect(found.report()).toMatchObject({
    checks: [{ check: 'audit-chain', found: 1 }],
    findings: [{ words: expect.stringContaining('cannot be read') }],
  });
  expect(concerns.names).not.toContain('audit-anchors');
});

test('entries whose events are deleted were linked before', async () => {
  const shop = await createTestShop(context);
  await linkAuditEntries(context, shop.organizationId);
  await service.staff(shop);
  const later = { ...context, clock: { now: () => context.clock.now() + 40 * 86_400_000 } };
  expect((await purgeEvents(later, shop.organizationId)).pruned).toBeGreaterThan(0);
  expect((await verify(shop)).lines[0]).toContain('is whole');
});

test('an export has every entry of its time once, oldest first, as NDJSON and as CSV, and is in the log', async () => {
  const shop = await createTestShop(context);
  const to = join(folder, 'log.ndjson');
  const options = { organization: String(shop.organizationId), to };
  const { data } = await dispensary('audit export', options);
  const lines = readFileSync(to, 'utf8').trimEnd().split('\n');
  expect(data).toMatchObject({ entries: lines.length });
  const entries = lines.map((line) => JSON.parse(line) as { id: number; at: string; action: string });
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
  const csv = join(folder, 'log.csv');
  await dispensary('audit export', { ...options, to: csv, format: 'csv' });
  const [head, ...rows] = readFileSync(csv, 'utf8').trimEnd().split('\r\n');
  expect(head).toBe('id,at,actor,actorName,action,subjectType,subjectId,details,requestId');
  // The first export is an entry itself, and the second one is.
  expect(rows).toHaveLength(entries.length + 1);
  expect(rows.at(-1)).toContain('organization.exported');
  const future = { ...options, to: join(folder, 'none'), from: '2999-01-01T00:00:00Z' };
  expect((await dispensary('audit export', future)).data).toMatchObject({ entries: 0 });
  await expect(dispensary('audit export', options)).rejects.toThrow('--to');
});
