import { statSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { pruneDue } from '../../../test/harness/prune-due.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { retainedKinds } from '../../hosting/retention/retention.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { createDocumentDesk } from './document-desk.test-support.ts';
import { purgeDocuments } from './documents.ts';

const service = await startTestService();
afterAll(() => service.close());
const { clock, context, documentFiles } = service;
const { shop, budtender, sql, newCustomer, upload, uploaded, listed, view, review, fileOf } =
  await createDocumentDesk(service);
const dayMs = 86_400_000;

describe('a review', () => {
  const cart = (email: string) =>
    pickupBody(shop, { customer: { firstName: 'Marisol', lastName: 'Okafor', email } });
  const bought = async (email: string) => {
    const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: cart(email) });
    return [data.isMedical, data.taxExempt];
  };
  const datesOf = async (customerId: number) => {
    const { data } = await service.call('GET', `/api/v1/customers/${customerId}`, { keys: shop.keys });
    return [data.licenseExpiry, data.medicalExpiration];
  };

  test('that approves a recommendation makes its customer medical from the next cart on, until it expires', async () => {
    const { id: customerId, email } = await newCustomer();
    const id = await uploaded(customerId, 'recommendation');
    expect(await bought(email)).toEqual([false, false]);
    const { status, data } = await review(customerId, id, { decision: 'approved', expiresOn: '2026-03-11' });
    expect([status, data.status, data.expiresOn, data.reviewedAt]).toEqual([
      ...[200, 'approved', '2026-03-11', '2026-03-10T18:00:00.000Z'],
    ]);
    expect(await bought(email)).toEqual([true, true]);
    expect(await datesOf(customerId)).toEqual([null, '2026-03-11']);
    const nowMs = clock.now();
    clock.set(Date.parse('2026-03-12T07:00:00Z'));
    expect(await bought(email)).toEqual([false, false]);
    clock.set(nowMs);
    const details = await sql(
      `select details from audit_entries where action = 'customer.updated' and subject_id = $1`,
      String(customerId),
    );
    expect(details).toEqual([
      { details: { customerId, medicalExpiration: { from: null, to: '2026-03-11' } } },
    ]);
  });

  test('that rejects an approved document removes its expiry date, unless that has already changed', async () => {
    const { id: customerId } = await newCustomer();
    const first = await uploaded(customerId, 'license');
    await review(customerId, first, { decision: 'approved', expiresOn: '2028-01-31' });
    clock.advance(1000);
    const second = await uploaded(customerId, 'license');
    expect(await datesOf(customerId)).toEqual(['2028-01-31', null]);
    const superseded = await review(customerId, first, { decision: 'rejected' });
    expect([superseded.status, superseded.error?.code]).toEqual([409, 'DOCUMENT_SUPERSEDED']);
    await review(customerId, second, { decision: 'approved', expiresOn: '2031-01-31' });
    expect(await datesOf(customerId)).toEqual(['2031-01-31', null]);
    const rejected = await review(customerId, second, {
      decision: 'rejected',
      reason: ' Not the same person ',
    });
    expect(rejected.data).toMatchObject({
      status: 'rejected',
      expiresOn: null,
      reviewReason: 'Not the same person',
    });
    expect(await datesOf(customerId)).toEqual(['2028-01-31', null]);
    await review(customerId, second, { decision: 'approved', expiresOn: '2031-01-31' });
    await sql(`update customers set license_expiry = '2032-01-31' where id = $1`, customerId);
    await review(customerId, second, { decision: 'rejected' });
    expect(await datesOf(customerId)).toEqual(['2032-01-31', null]);
    expect((await listed(customerId)).map((it: { id: number }) => it.id)).toEqual([second, first]);
  });

  test('that contradicts itself is refused, and changes nothing', async () => {
    const { id: customerId } = await newCustomer();
    const id = await uploaded(customerId, 'license');
    const wrong: readonly (readonly [object, string, RegExp])[] = [
      [{ decision: 'approved' }, 'MISSING_PARAMS', /expiresOn/],
      [{}, 'MISSING_PARAMS', /decision/],
      [{ decision: 'rejected', expiresOn: '2030-01-01' }, 'INVALID_PARAMS', /^expiresOn must be left out/],
      [
        { decision: 'approved', expiresOn: '2026-03-09' },
        'INVALID_PARAMS',
        /^expiresOn must not be before today/,
      ],
      [{ decision: 'approved', expiresOn: '2026-02-30' }, 'INVALID_PARAMS', /^expiresOn must be a date/],
      [{ decision: 'maybe' }, 'INVALID_PARAMS', /^decision must be one of/],
      [{ decision: 'rejected', reason: ' ' }, 'INVALID_PARAMS', /^reason must not be blank/],
    ];
    for (const [body, code, message] of wrong) {
      const { error } = await review(customerId, id, body);
      expect([body, error?.code, error?.message]).toEqual([body, code, expect.stringMatching(message)]);
    }
    expect((await listed(customerId))[0].status).toBe('pending');
    expect((await review(customerId, id, { decision: 'approved', expiresOn: '2026-03-10' })).status).toBe(
      200,
    );
  });
});

test('of concurrent documents of one type, one is current', async () => {
  const { id: customerId } = await newCustomer();
  const replies = await Promise.all(Array.from({ length: 6 }, () => upload(customerId, 'license')));
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(204));
  await uploaded(customerId, 'recommendation');
  const all: { type: string; supersededAt: string | null }[] = await listed(customerId);
  expect(all.length).toBe(7);
  expect(
    all
      .filter(({ supersededAt }) => supersededAt === null)
      .map(({ type }) => type)
      .sort(),
  ).toEqual([...['license', 'recommendation']]);
});

test('documents are listed 50 a page, each once', async () => {
  const { id: customerId } = await newCustomer();
  for (let count = 0; count < 53; count++) await upload(customerId, 'license');
  const path = `/staff/v1/customers/${customerId}/documents`;
  const { data: first } = await budtender.call('GET', path);
  const next = (id: number) => budtender.call('GET', path, undefined, { query: { startingAfter: id } });
  const { data: second } = await next(first.at(-1).id);
  expect([first.length, second.length]).toEqual([50, 3]);
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(53);
  expect((await next(second.at(-1).id)).data).toEqual([]);
  expect((await next(999_999_999)).error?.code).toBe('INVALID_CURSOR');
});

describe('retention', () => {
  const purge = () => purgeDocuments(context, documentFiles, testOrigin, shop.organizationId);

  test('keeps superseded documents until it ends, then deletes row and file; the dates stay', async () => {
    const nowMs = clock.now();
    await sql('update organizations set document_retention_days = 30');
    const { id: customerId } = await newCustomer();
    const first = await uploaded(customerId, 'license');
    await review(customerId, first, { decision: 'approved', expiresOn: '2031-01-31' });
    const path = await fileOf(first);
    clock.advance(dayMs);
    const second = await uploaded(customerId, 'license');
    clock.set(nowMs + 30 * dayMs - 1);
    expect((await listed(customerId, await service.staff(shop))).length).toBe(2);
    clock.advance(1);
    // Not shown after the end, even if the job runs later.
    const member = await service.staff(shop);
    expect((await listed(customerId, member)).map(({ id }: { id: number }) => id)).toEqual([second]);
    expect((await view(customerId, first, member)).error?.code).toBe('DOCUMENT_NOT_FOUND');
    const counts = await Promise.all([purge(), purge()]);
    expect(counts[0]! + counts[1]!).toBeGreaterThanOrEqual(1);
    expect(await sql('select 1 from customer_documents where id = $1', first)).toEqual([]);
    expect(() => statSync(path)).toThrow('ENOENT');
    const audit = await sql(
      `select count(*)::int as count from audit_entries where action = 'customer_document.purged' and subject_id = $1`,
      String(first),
    );
    expect(audit).toEqual([{ count: 1 }]);
    expect((await view(customerId, second, member)).status).toBe(200);
    expect(await sql('select license_expiry::text as day from customers where id = $1', customerId)).toEqual([
      { day: '2031-01-31' },
    ]);
    expect(await purge()).toBe(0);
    clock.set(nowMs);
    await sql('update organizations set document_retention_days = 1095');
  });

  test('ends for an erased customer at once', async () => {
    const { id: customerId } = await newCustomer();
    const id = await uploaded(customerId, 'license');
    await sql('update customers set erased_at = now() where id = $1', customerId);
    expect((await view(customerId, id)).error?.code).toBe('DOCUMENT_NOT_FOUND');
    expect((await upload(customerId, 'license')).error?.code).toBe('USER_NOT_FOUND');
    expect(await purge()).toBe(1);
  });

  test('is applied in every organization, even if one of them fails', async () => {
    const other = await createDocumentDesk(service);
    for (const desk of [other, { uploaded, newCustomer, sql }]) {
      const { id } = await desk.newCustomer();
      await desk.uploaded(id, 'license');
      await desk.sql('update customers set erased_at = now() where id = $1', id);
    }
    const files = Object.assign(Object.create(documentFiles) as SealedFiles, {
      delete: (name: string) =>
        name.startsWith(`${other.shop.organizationId}-`)
          ? Promise.reject(new Error('the disk is gone'))
          : documentFiles.delete(name),
    });
    const kinds = retainedKinds(context, files).filter(({ name }) => name === 'documents');
    const lines = await pruneDue(kinds, [other.shop.organizationId, shop.organizationId]);
    expect(lines).toEqual(['rows could not be pruned', 'pruned']);
    expect((await other.sql('select id from customer_documents')).length).toBe(1);
    expect(await purge()).toBe(0);
  });
});
