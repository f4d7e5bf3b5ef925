import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { onDatabase } from '../../../test/harness/test-connection.ts';
import type { TestService } from '../../../test/harness/test-service.ts';
import { deliveryBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { checksummedCollections } from '../../app/app.ts';
import type { AnchorStore } from '../../platform/events/anchor-audit.ts';
import { linkAuditEntries } from '../../platform/events/audit-chain.ts';
import { isBlobName } from '../../platform/storage/blob-store.ts';
import { bringSumsUpToDate } from '../../shop/changes/changes.ts';
import { createDocumentDesk } from '../../shop/documents/document-desk.test-support.ts';
import { bringReportSumsUpToDate } from '../../shop/reports/reports.ts';
import { type VerificationReport, type VerifiedFiles, verifyAll } from './verification.ts';

/** An order of two lines, with taxes and a payment, that holds stock. */
export interface SoldOrder {
  readonly id: string;
  readonly number: number;
}

/** A shop that sold so many orders, of which the last one was handed over, and has three documents; and a superuser. */
export async function openTradedShop(service: TestService, count: number) {
  const desk = await createDocumentDesk(service);
  const { shop } = desk;
  // The photo of all products of test shops.
  await service.photoBlobs.put('a.svg', Buffer.from('<svg/>'));
  const owner = await service.staff(shop);
  const orders: SoldOrder[] = [];
  for (let at = 0; at < count; at++) {
    const lineItems = ['quarter', 'gummies'].map((key) => ({
      productOptionId: shop.optionId(key),
      quantity: 2,
    }));
    const customer = { firstName: 'Wren', lastName: 'Alder', email: `wren${at}@customers.example.com` };
    const payments = [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }];
    const placed = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: deliveryBody(shop, { lineItems, customer, payments }),
    });
    expect(placed.error).toBeUndefined();
    const { id } = placed.data;
    const path = `/staff/v1/orders/${id}`;
    if (placed.data.status === 'draft') await owner.call('POST', `${path}/accept`, {});
    const { data } = await owner.call('GET', path);
    orders.push({ id, number: Number(data.number) });
  }
  const fulfilled = await owner.call('POST', `/staff/v1/orders/${orders.at(-1)!.id}/fulfill`, {});
  expect(fulfilled.error).toBeUndefined();
  const documents: number[] = [];
  for (let at = 0; at < 4; at++) {
    documents.push(await desk.uploaded((await desk.newCustomer()).id, 'license'));
  }
  await linkAuditEntries(service.context, shop.organizationId);
  await bringReportSumsUpToDate(service.context, shop.organizationId);
  await bringSumsUpToDate(service.context, checksummedCollections(service.context), shop.organizationId);
  return { shop, orders, documents, fileOf: desk.fileOf, folder: desk.folder };
}

const selectConditions = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
   where contype = 'c' and conrelid in ('orders'::regclass, 'order_line_items'::regclass, 'order_taxes'::regclass,
           'order_payments'::regclass, 'product_options'::regclass)`;

/** Runs SQL as a damaged disk writes: as a superuser, without triggers, references and the conditions of tables. */
export async function withoutTriggers(
  service: TestService,
  work: (run: (text: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>) => Promise<void>,
): Promise<void> {
  const client = new Client(adminOf(service));
  await client.connect();
  try {
    // Only what a transaction sets is told to the servers of a distributed database.
    const { isDistributed } = inject('server');
    await client.query(isDistributed ? 'begin' : 'set session_replication_role = replica');
    if (isDistributed) await client.query('set local session_replication_role = replica');
    const { rows: conditions } = await client.query(selectConditions);
    for (const { table, name } of conditions)
      await client.query(`alter table ${table} drop constraint ${name}`);
    await work(async (text, ...values) => (await client.query(text, values)).rows);
    for (const { table, name, text } of conditions) {
      await client.query(`alter table ${table} add constraint ${name} ${text} not valid`);
    }
    if (isDistributed) await client.query('commit');
  } finally {
    await client.end();
  }
}

/** A superuser on the database of the service. */
export function adminOf({ database }: TestService) {
  const { connectionString } = database.owner;
  const name = connectionString ? new URL(connectionString).pathname.slice(1) : database.owner.database!;
  return onDatabase(inject('server').admin, name);
}

export function verifyShop(
  service: TestService,
  { organizationId }: TestShop,
  anchors: readonly AnchorStore[] = [],
  files?: VerifiedFiles,
): Promise<VerificationReport> {
  const { context, documentFiles, photoBlobs, documentFolder } = service;
  return verifyAll({
    ...{ context, serving: service.database.serving, dataDir: null },
    // Where the files are looked at, the structures of tables are not: that takes most of the time.
    admin: files === undefined ? adminOf(service) : null,
    organizations: [{ id: organizationId }],
    ...{ collections: checksummedCollections, anchors },
    files: files ?? {
      documents: documentFiles,
      photos: photoBlobs,
      documentNames: async () => (await readdir(join(documentFolder, 'documents'))).filter(isBlobName),
    },
  });
}
