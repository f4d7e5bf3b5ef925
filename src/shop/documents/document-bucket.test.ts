import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { filesOf } from '../../../cli/verify-folder.ts';
import { pruneDue } from '../../../test/harness/prune-due.ts';
import { refuseWith, startTestBucket } from '../../../test/harness/test-bucket.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import { clearStrayObjects, retainedKinds } from '../../hosting/retention/retention.ts';
import { verifyShop } from '../../hosting/verification/damaged-shop.test-support.ts';
import { Database } from '../../platform/database/database.ts';
import { openBlobStores } from '../files/blob-stores.ts';
import { openDocumentFiles } from '../files/document-files.ts';
import { createDocumentDesk } from './document-desk.test-support.ts';
import { purgeDocuments, rewrapDocuments } from './documents.ts';
import { jpeg, place } from './sample-files.test-support.ts';

/* The same documents as in documents.test.ts, with a bucket instead of the folder. */

const bucket = await startTestBucket();
const [formerKey, newKey] = [randomBytes(32), randomBytes(32)];
const service = await startOwnTestService({ bucket: bucket.settings, documentMasterKeys: [formerKey] });
afterEach(() => {
  bucket.interfere = undefined;
});
afterAll(async () => {
  await service.close();
  await bucket.close();
});
const { context, documentFiles } = service;
const { shop, sql, newCustomer, upload, uploaded, listed, view, review, fileNames } =
  await createDocumentDesk(service);
const { organizationId } = shop;

const sent = { file: jpeg(), mime: 'image/jpeg' };
const blobs = openBlobStores({ dataDir: service.documentFolder, bucket: bucket.settings }, () => {});

async function blobOf(id: number): Promise<Buffer | null> {
  const [row] = await sql('select file_name from customer_documents where id = $1', id);
  return blobs.documents.get(row!.file_name);
}

test('a document is uploaded, reviewed, viewed, and purged with its object when its retention ends', async () => {
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'license', sent);
  expect(await review(customerId, id, { decision: 'approved', expiresOn: '2030-01-31' })).toMatchObject({
    status: 200,
    data: { status: 'approved', expiresOn: '2030-01-31' },
  });
  const shown = await view(customerId, id);
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(shown.bytes.includes('coded')).toBe(true);
  expect(shown.bytes.includes(place)).toBe(false);

  const stored = await blobOf(id);
  for (const part of [place, 'coded', 'JFIF']) expect(stored?.includes(part)).toBe(false);
  const [row] = await sql('select file_name from customer_documents where id = $1', id);
  expect(bucket.requests).toContain(`PUT /files/shop/documents/${row!.file_name}`);
  // The disk has no copy of it.
  expect(fileNames()).toEqual([]);

  await sql('update customers set erased_at = now() where id = $1', customerId);
  expect(await purgeDocuments(context, documentFiles, testOrigin, organizationId)).toBe(1);
  expect(await blobs.documents.get(row!.file_name)).toBeNull();
  expect(await sql('select id from customer_documents where id = $1', id)).toEqual([]);
});

test('a new master key rewraps the keys of objects without reading any object', async () => {
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'license', sent);
  const config = { dataDir: service.documentFolder, documentMasterKeys: [newKey, formerKey] };
  const before = bucket.requests.length;
  const files = openDocumentFiles(config, blobs.documents);
  expect(await rewrapDocuments(context, files, testOrigin, organizationId)).toBe(1);
  expect(bucket.requests.length).toBe(before);
  await expect(view(customerId, id)).resolves.toMatchObject({ status: 500 });
  expect(service.faults.at(-1)).toContain('DOCUMENT_MASTER_KEY lacks the key');
  await rewrapDocuments(
    context,
    openDocumentFiles({ ...config, documentMasterKeys: [formerKey, newKey] }, blobs.documents),
    testOrigin,
    organizationId,
  );
  expect((await view(customerId, id)).status).toBe(200);
});

test('while the bucket cannot be reached, documents are refused, and nothing is stored or revealed', async () => {
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'recommendation', sent);
  const faultCount = service.faults.length;
  bucket.interfere = refuseWith(503, 'ServiceUnavailable');
  for (const reply of [await upload(customerId, 'license', sent), await view(customerId, id)]) {
    expect([reply.status, reply.error, reply.headers['retry-after']]).toEqual([
      503,
      { code: 'SERVICE_UNAVAILABLE', message: 'The file store cannot be reached; try again.' },
      '2',
    ]);
  }
  bucket.interfere = undefined;
  expect((await listed(customerId)).map((it: { id: number }) => it.id)).toEqual([id]);
  expect(service.faults.slice(faultCount)).toEqual([
    'files/shop/documents/ put: ServiceUnavailable (503): ServiceUnavailable it is',
    'files/shop/documents/ get: ServiceUnavailable (503): ServiceUnavailable it is',
  ]);
  // The audit has no entry for a reading that failed.
  const read = await sql(
    `select 1 from audit_entries where action = 'customer_document.viewed' and subject_id = $1`,
    String(id),
  );
  expect(read).toEqual([]);
  expect((await upload(customerId, 'license', sent)).status).toBe(204);
});

test('an upload whose row cannot be written fails, even if its object cannot be deleted', async () => {
  const { id: customerId } = await newCustomer();
  const write = context.database.write.bind(context.database);
  context.database.write = () => {
    bucket.interfere = refuseWith(403, 'AccessDenied');
    return Promise.reject(new Error('the disk of the database is full'));
  };
  const reply = await upload(customerId, 'license', sent);
  context.database.write = write;
  expect([reply.status, reply.error?.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(service.faults.at(-1)).toContain('the disk of the database is full');
});

test('a missing object is a server error without details', async () => {
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'license', sent);
  const [row] = await sql('select file_name from customer_documents where id = $1', id);
  await blobs.documents.delete(row!.file_name);
  const reply = await view(customerId, id);
  expect([reply.status, reply.error]).toEqual([
    500,
    { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' },
  ]);
  expect(service.faults.at(-1)).toContain(`customer document ${organizationId}/${id}: its file is missing`);
});

test('the job that deletes documents keeps their rows while the bucket is unavailable, and tries again', async () => {
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'license', sent);
  await sql('update customers set erased_at = now() where id = $1', customerId);
  const kinds = retainedKinds(context, documentFiles).filter(({ name }) => name === 'documents');
  const pass = () => pruneDue(kinds, [organizationId]);
  bucket.interfere = refuseWith(403, 'AccessDenied');
  expect(await pass()).toEqual(['rows could not be pruned']);
  expect((await sql('select id from customer_documents where id = $1', id)).length).toBe(1);
  bucket.interfere = undefined;
  expect(await pass()).toEqual(['pruned']);
  expect(await sql('select id from customer_documents where id = $1', id)).toEqual([]);
});

test('an object that no row names ends 30 days after that is first seen, and one that is named meanwhile comes back', async () => {
  const operator = new Database(service.database.owner, 1);
  const dayMs = 86_400_000;
  let storeDays = 0;
  const { documents } = blobs.listed;
  const pass = (days: number) => {
    service.clock.advance(days * dayMs);
    storeDays += days;
    const now = () => Date.now() + storeDays * dayMs;
    return clearStrayObjects({ context, operator, now }, 'documents', documents!);
  };
  const { id: customerId } = await newCustomer();
  const id = await uploaded(customerId, 'license', sent);
  const [{ file_name: named }] = (await sql(
    'select file_name from customer_documents where id = $1',
    id,
  )) as [{ file_name: string }];
  const stray = `${organizationId}-987654321`;
  await blobs.documents.put(stray, Buffer.from('of a crash'));
  // Less than a day old: the write of its row may be under way.
  for (const days of [0, 2, 29]) await pass(days);
  expect(await blobs.documents.get(stray)).not.toBeNull();
  await pass(2);
  expect(await blobs.documents.get(stray)).toBeNull();
  // As when its row was written in the moment of the deletion.
  const bytes = (await blobs.documents.get(named))!;
  await blobs.documents.put(`stray-${named}`, bytes);
  await blobs.documents.delete(named);
  expect(await pass(2)).toBeGreaterThan(0);
  expect(await blobs.documents.get(named)).toEqual(bytes);
  expect(await pass(2)).toBe(0);
  const names = (await documents!.page()).files.map(({ name }) => name);
  expect(names).toContain(named);
  expect(names.filter((name) => name.startsWith('stray-') || name === stray)).toEqual([]);
  await operator.close();
});

test('verify reads each object, lists them all, and names what is missing, damaged, locked or without a row', async () => {
  const inTwoHours = Date.now() + 7_200_000;
  const filesWith = (key: Buffer) =>
    filesOf({ bucket: bucket.settings, documentMasterKeys: [key] }, service.documentFolder, inTwoHours);
  const verified = async (key = formerKey) => {
    const report = await verifyShop(service, shop, [], filesWith(key));
    return report.findings.map(({ check, place, isDamage, words }) => ({ check, place, isDamage, words }));
  };
  await blobs.photos.put('a.svg', Buffer.from('<svg/>'));
  const placeOf = async (id: number) => {
    const [row] = await sql('select file_name from customer_documents where id = $1', id);
    return `documents/${row!.file_name}`;
  };
  const places: string[] = [];
  for (const _ of ['gone', 'damaged', 'whole']) {
    places.push(await placeOf(await uploaded((await newCustomer()).id, 'license', sent)));
  }
  // An earlier test has deleted an object.
  const before = await verified();
  expect(before.filter((finding) => places.includes(finding.place))).toEqual([]);
  expect(before.filter(({ check }) => check === 'stray-files' || check === 'photo-files')).toEqual([]);

  const [missing, broken] = places.map((path) => path.slice('documents/'.length)) as [string, string];
  await blobs.documents.delete(missing);
  await blobs.documents.put(broken, Buffer.from('other bytes'));
  await blobs.documents.put('0-stray', Buffer.from('no row'));
  await blobs.photos.delete('a.svg');
  const found = (await verified()).filter(({ check }) => check.endsWith('-files'));
  const of = (check: string, place: string) =>
    found.find((it) => it.check === check && it.place.includes(place));
  expect(of('document-files', missing)).toMatchObject({
    isDamage: true,
    words: expect.stringContaining('missing'),
  });
  expect(of('document-files', broken)).toMatchObject({ isDamage: true });
  expect(of('photo-files', 'a.svg')).toMatchObject({ isDamage: true });
  expect(of('stray-files', '0-stray')).toMatchObject({
    isDamage: false,
    words: expect.stringContaining('no row'),
  });
  expect(found.filter(({ isDamage }) => !isDamage)).toHaveLength(1);

  const locked = (await verified(newKey)).filter(({ check }) => check === 'document-files');
  expect(locked.map((finding) => finding.place)).toContain(places[2]);
  bucket.interfere = refuseWith(403, 'AccessDenied');
  await expect(verified()).rejects.toThrow('The file store cannot be reached');
});
