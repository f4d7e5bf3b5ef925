import { assert } from '../../src/kernel/assert.ts';
import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { collision } from './collision-refusals.ts';
import { createTenant, nowhereId, validRequest } from './contract-world.ts';
import type { Refusal } from './refusal.ts';

/** What requests about webhook endpoints are refused for (D66). */
export function webhookRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'createWebhookEndpoint':
      return [...contentRefusals(endpointId), tooMany(endpointId), collision(endpointId, 'audit_entries')];
    case 'updateWebhookEndpoint':
      return [...contentRefusals(endpointId), collision(endpointId, 'audit_entries')];
    case 'sendWebhooksSince':
      return [...cursorRefusals(endpointId), collision(endpointId, 'audit_entries')];
    case 'deleteWebhookEndpoint':
    case 'rotateWebhookSecret':
    case 'sendWebhookAgain':
    case 'testWebhookEndpoint':
      return [collision(endpointId, 'audit_entries')];
    case 'listWebhookDeliveries':
      return [nowhereId(1), 'first'].map((startingAfter) => ({
        endpointId,
        code: 'INVALID_CURSOR',
        when: `startingAfter is ${startingAfter}`,
        arrange: ({ home }, endpoint) => ({
          request: { ...validRequest(endpoint, home), query: { startingAfter } },
        }),
        message: /^startingAfter must be /,
      }));
    default:
      return [];
  }
}

const withBody = (endpointId: string, body: object, code: ErrorCode, message: RegExp): Refusal => ({
  endpointId,
  code,
  when: `the body has ${JSON.stringify(body)}`,
  arrange: ({ home }, endpoint) => {
    const request = validRequest(endpoint, home);
    return { request: { ...request, body: { ...(request.body as object), ...body } } };
  },
  message,
});

function contentRefusals(endpointId: string): Refusal[] {
  return [
    ...['hooks.example.com', 'ftp://hooks.example.com', 'https://', ' '].map((url) =>
      withBody(endpointId, { url }, 'INVALID_PARAMS', /^url must be an http or https address/),
    ),
    withBody(endpointId, { url: 'https://me:secret@example.com' }, 'INVALID_PARAMS', /without a user name/),
    ...['order.exploded', 'order.placed,order.packed', 'order', '*'].map((type) =>
      withBody(endpointId, { types: [type] }, 'INVALID_PARAMS', /^types names "/),
    ),
  ];
}

function cursorRefusals(endpointId: string): Refusal[] {
  return [
    ...['first', '1-2-3', 'ZZ-1'].map((cursor) =>
      withBody(endpointId, { cursor }, 'INVALID_CURSOR', /^cursor must be /),
    ),
    withBody(endpointId, { cursor: 'zzzzzzz-1' }, 'CURSOR_EXPIRED', /no longer kept/),
  ];
}

function tooMany(endpointId: string): Refusal {
  return {
    endpointId,
    code: 'WEBHOOK_ENDPOINT_LIMIT',
    when: 'the integrator has 100 endpoints',
    arrange: async ({ service }, endpoint) => {
      const tenant = await createTenant(service);
      const { organizationId, keys } = tenant.shop;
      const listed = await service.call('GET', '/api/v1/webhook-endpoints', { keys });
      const columns =
        'integrator_id, client_key_id, url, types, enabled, secret, secret_master_key_id, position, created_at';
      const [row] = await tenantSql(
        service.context.database,
        organizationId,
        `with made as (
           insert into webhook_endpoints (organization_id, id, ${columns})
           select organization_id, n, ${columns} from webhook_endpoints, generate_series(1, ${100 - listed.data.length}) n
            where id = ${listed.data[0].id}
           returning id)
         select count(*)::int as count from made`,
      );
      assert(row!.count === 100 - listed.data.length, 'the endpoints are there');
      return { shop: tenant.shop, request: validRequest(endpoint, tenant) };
    },
    message: /^The integrator has 100 webhook endpoints already/,
  };
}
