import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { SqlValue } from '../../platform/statements/statement.ts';
import { keyBytes, masterKey } from '../../platform/storage/envelope.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { importCustomers } from '../customers/customers.ts';
import { openBlobStores } from '../files/blob-stores.ts';
import { openDocumentFiles } from '../files/document-files.ts';
import { findMissingMasterKeys, rewrapDocuments } from './documents.ts';
import { png } from './sample-files.test-support.ts';
import { viewDocument } from './view-document.ts';

const [formerKey, newKey] = [randomBytes(keyBytes), randomBytes(keyBytes)];
const service = await startOwnTestService({ documentMasterKeys: [formerKey] });
const folder = mkdtempSync(join(tmpdir(), 'dispensary-keys-'));
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});
const { context } = service;

function openFiles(dataDir: string, ...documentMasterKeys: Buffer[]): SealedFiles {
  const config = { dataDir, documentMasterKeys };
  return openDocumentFiles(config, openBlobStores(config, () => {}).documents);
}

async function shopWithDocuments(count: number) {
  const shop = await createTestShop(context);
  const [customer] = await importCustomers(context, testOrigin, shop.organizationId, [
    {
      ...{ firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com', phone: null },
      ...{ birthday: null, sex: null, zip: null, licenseExpiry: null, medicalExpiration: null },
      ...{ marketingOptInAtMs: null, joinedAtMs: 0 },
    },
  ]);
  const body = { documentBase64: png().toString('base64'), documentMime: 'image/png' };
  for (let at = 0; at < count; at++) {
    const path = `/api/v1/documents/${customer!.id}/license`;
    expect((await service.call('POST', path, { keys: shop.keys, body })).status).toBe(204);
  }
  const rows = await tenantSql(
    context.database,
    shop.organizationId,
    'select id from customer_documents order by id',
  );
  return {
    organizationId: shop.organizationId,
    customerId: customer!.id,
    ids: rows.map(({ id }) => id as number),
  };
}

test('a new master key rewraps all keys without touching files, and the former one is no longer needed', async () => {
  const { organizationId, customerId, ids } = await shopWithDocuments(3);
  const dataDir = service.documentFolder;
  const withKeys = (...keys: Buffer[]): SealedFiles => openFiles(dataDir, ...keys);
  const contents = () =>
    readdirSync(join(dataDir, 'documents')).map((name) =>
      readFileSync(join(dataDir, 'documents', name), 'hex'),
    );
  const shown = (files: SealedFiles) =>
    viewDocument(context, files, testOrigin, organizationId, customerId, ids[0]!);
  const before = contents();

  await expect(shown(withKeys(newKey))).rejects.toThrow(/DOCUMENT_MASTER_KEY lacks the key [0-9a-f]{16}/);
  expect(await rewrapDocuments(context, withKeys(newKey, formerKey), testOrigin, organizationId)).toBe(3);
  expect(await rewrapDocuments(context, withKeys(newKey, formerKey), testOrigin, organizationId)).toBe(0);
  expect(contents()).toEqual(before);
  expect((await shown(withKeys(newKey))).mime).toBe('image/png');
  await expect(shown(withKeys(formerKey))).rejects.toThrow(/DOCUMENT_MASTER_KEY lacks/);
  const audit = await tenantSql(
    context.database,
    organizationId,
    `select details->'documents' as documents from audit_entries where action = 'customer_document.rewrapped'`,
  );
  expect(audit).toEqual([{ documents: 3 }]);
});

test('every master key in use is checked, and named when it is missing', async () => {
  const { organizationId, ids } = await shopWithDocuments(5);
  const empty = await createTestShop(context);
  const shops = [{ id: empty.organizationId }, { id: organizationId }];
  const dataDir = join(folder, 'none');
  const found = (...keys: Buffer[]) =>
    findMissingMasterKeys(context.database, openFiles(dataDir, ...keys), shops);
  const [former, renewed] = [masterKey(formerKey).id, masterKey(newKey).id];

  expect(await found(formerKey)).toBeNull();
  expect(await found(newKey)).toMatch(
    new RegExp(
      `under the master key ${former}, which is not in DOCUMENT_MASTER_KEY, nor in .*document-master-key`,
    ),
  );
  // Without the setting, the file is used, and none is created in its place.
  expect(await found()).toMatch(
    new RegExp(`${former}, which is not in .*none.document-master-key. Put it back`),
  );
  expect(existsSync(dataDir)).toBe(false);

  // As after an interrupted rotation: one in the middle.
  const both = openFiles(service.documentFolder, newKey, formerKey);
  await rewrapDocuments(context, both, testOrigin, organizationId);
  const sql = (text: string, ...values: SqlValue[]) =>
    tenantSql(context.database, organizationId, text, ...values);
  await sql('update customer_documents set master_key_id = $1 where id = $2', former, ids[2]!);
  expect(await found(newKey)).toContain(former);
  expect(await found(formerKey)).toContain(renewed);
  // The row in the middle is damaged; the other key still has valid rows.
  expect(await found(newKey, formerKey)).toContain(`The master key ${former} opens none of the documents`);
  await sql('update customer_documents set master_key_id = $1 where id = $2', renewed, ids[2]!);
  await sql(
    `update customer_documents set wrapped_key = decode(repeat('00', 60), 'hex') where id = $1`,
    ids[0]!,
  );
  expect(await found(newKey)).toBeNull();
});

test('without a key in the settings, one is created, once, in a file readable by this account only', async () => {
  const dataDir = join(folder, 'data');
  const openKeys = () => openFiles(dataDir).keys;
  const random = (count: number) => randomBytes(count);
  const loaded = await Promise.all(Array.from({ length: 8 }, () => openKeys().load(random)));
  expect(new Set(loaded.map(([{ id }]) => id)).size).toBe(1);
  expect(readdirSync(dataDir)).toEqual(['document-master-key']);
  expect(statSync(join(dataDir, 'document-master-key')).mode & 0o777).toBe(0o600);

  const keys = openKeys();
  const running = openKeys();
  const [first] = await running.load(random);
  const second = await keys.addToFile(random(keyBytes), () => true);
  expect((await running.load(random)).map(({ id }) => id)).toEqual([second.id, first.id]);
  const third = await keys.addToFile(random(keyBytes), ({ id }) => id === second.id);
  expect((await running.load(random)).map(({ id }) => id)).toEqual([third.id, second.id]);
  expect(statSync(join(dataDir, 'document-master-key')).mode & 0o777).toBe(0o600);

  const configured = openFiles(dataDir, newKey).keys;
  expect(configured.isKeptInFile).toBe(false);
  expect((await configured.load(random)).map(({ id }) => id).slice(1)).toEqual([third.id, second.id]);
});
