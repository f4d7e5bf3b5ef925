import { expect } from 'vitest';
import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import { documentBytesMax } from '../../src/shop/documents/document-types.ts';
import { setFileQuota } from '../../src/shop/files/quotas.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { testOrigin } from '../harness/test-shop.ts';
import { collision } from './collision-refusals.ts';
import { createTenant, nowhereId, validRequest } from './contract-world.ts';
import type { Refusal } from './refusal.ts';

/** Refusals of a customer's document (D42). */
export function documentRefusals(endpointId: string): Refusal[] {
  if (endpointId !== 'uploadCustomerDocument') return [];
  const refused = (
    when: string,
    code: ErrorCode,
    message: RegExp,
    body: Readonly<Record<string, unknown>>,
    params: Readonly<Record<string, unknown>> = {},
  ): Refusal => ({
    endpointId,
    code,
    when,
    arrange: ({ home }, endpoint) => {
      const request = validRequest(endpoint, home);
      return {
        request: {
          ...request,
          params: { ...request.params, ...params },
          body: { ...(request.body as object), ...body },
        },
      };
    },
    message,
  });
  const bytes = (count: number): string => Buffer.alloc(count).toString('base64');
  const unknownCustomer = { customerId: nowhereId(1) };
  return [
    ...['text/html', 'image/svg+xml', 'image/gif', ''].map((documentMime) =>
      refused(
        `documentMime is "${documentMime}"`,
        'UNSUPPORTED_DOCUMENT_TYPE',
        /^documentMime must be one of image\/jpeg, /,
        { documentMime },
      ),
    ),
    refused('it has a byte too much', 'DOCUMENT_TOO_LARGE', /^documentBase64 must not hold more than/, {
      documentBase64: bytes(documentBytesMax + 1),
    }),
    refused(
      'the customer is unknown',
      'USER_NOT_FOUND',
      /^There is no such customer/,
      { documentBase64: '' },
      unknownCustomer,
    ),
    ...Object.entries({
      '': /^documentBase64 is empty/,
      'data:image/png;base64,iVBORw0KGgo=': /without the prefix of a data URL/,
      'iVBO-_8=': /must be standard Base64/,
      [bytes(100)]: /is not of the type in documentMime/,
      'iVBORw0KGgo=': /is cut off/,
    }).map(([documentBase64, message]) =>
      refused(`the document is "${documentBase64}"`, 'INVALID_DOCUMENT', message, { documentBase64 }),
    ),
    refused(
      'documentType is another',
      'INVALID_PARAMS',
      /^documentType must be one of license, /,
      {},
      {
        documentType: 'passport',
      },
    ),
    {
      endpointId,
      code: 'ID_COPY_NOT_ALLOWED',
      when: 'the law of the state lets no shop keep a copy of an ID',
      arrange: async ({ service }, endpoint) => {
        const tenant = await createTenant(service);
        const { organizationId } = tenant.shop;
        await tenantSql(service.context.database, organizationId, `update organizations set state = 'NJ'`);
        const request = validRequest(endpoint, tenant);
        return {
          shop: tenant.shop,
          request: { ...request, params: { ...request.params, documentType: 'license' } },
        };
      },
      message: /^The law of New Jersey lets no shop keep a copy of an ID/,
      meta: { citation: 'N.J.A.C. 17:30-14.3(b)' },
    },
    {
      endpointId,
      code: 'FILE_QUOTA_EXCEEDED',
      when: 'the organization may keep no document',
      arrange: async ({ service }, endpoint) => {
        const tenant = await createTenant(service);
        await setFileQuota(service.context, testOrigin, tenant.shop.organizationId, 'documents', {
          filesMax: 0,
        });
        return { shop: tenant.shop, request: validRequest(endpoint, tenant) };
      },
      message: /^The organization has no room for another file of its documents: it keeps 1 of at most 0,/,
      // The shop has one, uploaded before.
      meta: {
        ...{ kind: 'documents', files: 1, filesMax: 0, bytes: expect.any(Number) },
        bytesMax: 50_000_000_000,
      },
    },
    collision(endpointId, 'customer_documents'),
  ];
}
