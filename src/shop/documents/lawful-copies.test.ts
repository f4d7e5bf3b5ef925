import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import { createDocumentDesk } from './document-desk.test-support.ts';
import { purgeDocuments } from './purge-documents.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const dayMs = 24 * 3_600_000;

test('where the law lets no shop keep a copy of an ID none is taken, and those from before are deleted', async () => {
  const { newCustomer, upload, shop, sql } = await createDocumentDesk(service);
  const { id } = await newCustomer();
  expect((await upload(id, 'license')).status).toBe(204);
  expect((await upload(id, 'recommendation')).status).toBe(204);
  await tenantSql(service.context.database, shop.organizationId, `update organizations set state = 'NJ'`);
  expect((await upload(id, 'license')).error).toMatchObject({
    code: 'ID_COPY_NOT_ALLOWED',
    meta: { citation: 'N.J.A.C. 17:30-14.3(b)' },
  });
  expect((await upload(id, 'recommendation')).status).toBe(204);
  await purgeDocuments(service.context, service.documentFiles, testOrigin, shop.organizationId);
  const types = await sql('select type from customer_documents');
  expect(new Set(types.map(({ type }) => type))).toEqual(new Set(['recommendation']));
});

test('a copy of an ID is kept as long as the law lets a shop keep it, whatever the organization has set', async () => {
  const { newCustomer, upload, shop, sql } = await createDocumentDesk(service);
  const { id } = await newCustomer();
  await sql(`update organizations set state = 'MT', document_retention_days = 3650`);
  await upload(id, 'license');
  await upload(id, 'recommendation');
  const staff = await service.staff(shop);
  const { data: listed } = await staff.call('GET', `/staff/v1/customers/${id}/documents`);
  expect(
    listed
      .map((it: { type: string; keptUntil: string }) => [it.type, Date.parse(it.keptUntil) - testNowMs])
      .toSorted(),
  ).toEqual([
    ['license', 180 * dayMs],
    ['recommendation', 3650 * dayMs],
  ]);
  const left = async (days: number) => {
    service.clock.set(testNowMs + days * dayMs);
    await purgeDocuments(service.context, service.documentFiles, testOrigin, shop.organizationId);
    return (await sql('select type from customer_documents order by type')).map(({ type }) => type);
  };
  expect(await left(179)).toEqual(['license', 'recommendation']);
  expect(await left(180)).toEqual(['recommendation']);
});
