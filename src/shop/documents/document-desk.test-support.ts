import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestReply, TestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import type { SqlValue } from '../../platform/statements/statement.ts';
import { importCustomers } from '../customers/customers.ts';
import { png } from './sample-files.test-support.ts';

/** The content to send; default a complete PNG. */
export interface Sent {
  readonly file?: Buffer;
  readonly mime?: string;
  /** Replaces the file's media type. */
  readonly base64?: string;
}

/** A test shop that exempts patients from a tax, with customers' documents and staff who review them. */
export async function createDocumentDesk(service: TestService) {
  const { clock, context, documentFolder } = service;
  const shop = await createTestShop(context, { medicalTaxExempt: true });
  const budtender = await service.staff(shop, 'budtender');
  const folder = join(documentFolder, 'documents');
  const sql = (text: string, ...values: readonly SqlValue[]) =>
    tenantSql(context.database, shop.organizationId, text, ...values);
  let people = 0;

  async function newCustomer(of: TestShop = shop): Promise<{ id: number; email: string }> {
    const email = `person${++people}@customers.example.com`;
    const [row] = await importCustomers(context, testOrigin, of.organizationId, [
      {
        ...{
          firstName: 'Marisol',
          lastName: 'Okafor',
          email,
          phone: null,
          birthday: null,
          sex: null,
          zip: null,
        },
        ...{
          licenseExpiry: null,
          medicalExpiration: null,
          marketingOptInAtMs: null,
          joinedAtMs: clock.now(),
        },
      },
    ]);
    return { id: row!.id, email };
  }

  function upload(customerId: number | string, type: string, sent: Sent = {}): Promise<TestReply> {
    const { file = png(), mime = 'image/png', base64 = file.toString('base64') } = sent;
    const body = { documentBase64: base64, documentMime: mime };
    return service.call('POST', `/api/v1/documents/${customerId}/${type}`, { keys: shop.keys, body });
  }

  return {
    shop,
    budtender,
    folder,
    sql,
    newCustomer,
    upload,
    /** The id of the document after the upload. */
    uploaded: async (customerId: number, type: string, sent: Sent = {}): Promise<number> => {
      const reply = await upload(customerId, type, sent);
      expect([reply.status, reply.text]).toEqual([204, '']);
      const [row] = await sql('select max(id) as id from customer_documents where user_id = $1', customerId);
      return row!.id;
    },
    listed: async (customerId: number, staff: TestStaff = budtender) =>
      (await staff.call('GET', `/staff/v1/customers/${customerId}/documents`)).data,
    view: (customerId: number, id: number, staff: TestStaff = budtender) =>
      staff.call('GET', `/staff/v1/customers/${customerId}/documents/${id}/file`),
    review: (customerId: number, id: number, body: object) =>
      budtender.call('POST', `/staff/v1/customers/${customerId}/documents/${id}/review`, body),
    /** All stored files; the first document creates the folder. */
    fileNames: (): string[] => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    fileOf: async (id: number): Promise<string> => {
      const [row] = await sql('select file_name from customer_documents where id = $1', id);
      return join(folder, row!.file_name);
    },
  };
}
