import { afterAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/app/app.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { pickupBody, testOrigin } from '../harness/test-shop.ts';
import {
  type ContractRequest,
  createTenant,
  idOf,
  propertyNames,
  send,
  type Tenant,
  validRequest,
} from './contract-world.ts';
import { expectGolden } from './golden-replies.ts';
import { replyFaults } from './reply-schema.ts';

/** The values that handlers give to the serializer, which would omit undeclared names and convert wrong types. */
const handed: { id: string; envelope: unknown }[] = [];

const service = await startOwnTestService({
  endpoints: (context, documentFiles) =>
    allEndpoints(context, (location) => location, documentFiles).map((endpoint) => ({
      ...endpoint,
      handle: async (request) => {
        const reply = await endpoint.handle(request);
        if (reply.kind === 'json') {
          const { data, meta } = reply;
          handed.push({ id: endpoint.id, envelope: meta === undefined ? { data } : { data, meta } });
        }
        return reply;
      },
    })),
});
const { context, endpoints } = service;
afterAll(() => service.close());

const taxedOnTop = await createTenant(service);
/** Prices that include taxes, and a customer who owes only some of them. */
const taxIncluded = await createTenant(service, {
  taxesIncluded: true,
  medicalTaxExempt: true,
  customerEmail: '',
  deliveryZones: [],
  taxes: [
    { description: 'Excise', rate: '15', tier: '1', type: 'excise', included: true },
    {
      description: 'Sales',
      rate: '9.25',
      tier: '2',
      included: true,
      encompass: true,
      exemptable: true,
      nonExemptableCategories: ['Accessories'],
    },
  ],
});
await importCustomers(context, testOrigin, taxIncluded.shop.organizationId, [
  {
    firstName: 'Priya',
    lastName: 'Lindqvist',
    email: 'priya@customers.example.com',
    phone: '(510) 555-0177',
    birthday: '1988-02-29',
    sex: 'female',
    zip: '94607',
    licenseExpiry: '2030-01-01',
    medicalExpiration: '2030-01-01',
    marketingOptInAtMs: 0,
    joinedAtMs: 0,
  },
]);
const exemptCustomer = { firstName: 'Priya', lastName: 'Lindqvist', email: 'priya@customers.example.com' };
const exemptBody = () =>
  pickupBody(taxIncluded.shop, {
    customer: exemptCustomer,
    lineItems: [
      { productOptionId: taxIncluded.shop.optionId('quarter'), quantity: 2 },
      { productOptionId: taxIncluded.shop.optionId('tray'), quantity: 1 },
    ],
  });
await service.call('POST', '/api/v1/orders', { keys: taxIncluded.shop.keys, body: exemptBody() });

/** The plain request, and one for each value of each optional query parameter. */
function variants(endpoint: Endpoint, tenant: Tenant): ContractRequest[] {
  const plain = () => validRequest(endpoint, tenant);
  const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, QuerySchema> };
  return [
    plain(),
    ...(propertyNames(endpoint.body).includes('customer') ? [{ ...plain(), body: exemptBody() }] : []),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      sampleValues(endpoint, tenant, name, schema).map((value) => {
        const request = plain();
        return { ...request, query: { ...request.query, [name]: value } };
      }),
    ),
  ];
}

interface QuerySchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
}

/** Values that the type alone does not tell. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  'listChanges.after': ['0-0'],
  'listOrderRecords.after': ['019a0000-0000-7000-8000-000000000000'],
  'listChanges.types': ['order.*,product.updated'],
  'getOrdersChecksum.month': ['2026-03'],
  'listOwnRequests.status': ['4xx'],
};

function sampleValues(endpoint: Endpoint, tenant: Tenant, name: string, schema: QuerySchema) {
  if (/(?:^ids?|Ids?)$|^startingAfter(?!UpdatedAt)/.test(name)) return [idOf(endpoint, name, tenant)];
  const [known] = knownValues[`${endpoint.id}.${name}`] ?? [];
  if (known !== undefined) return [known];
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  if (schema.format === 'date-time') return ['2026-03-10T18:00:00.123456Z'];
  if (schema.format === 'date') return ['2026-03-10', '2020-01-01'];
  if (schema.format === 'uuid') return ['7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55'];
  return [schema.minimum ?? 1];
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const faultsOf = replyFaults(endpoint);

  test('answers in its declared shape, without extra names, and with the fields of its golden file', async () => {
    const bodies: unknown[] = [];
    for (const tenant of [taxedOnTop, taxIncluded]) {
      for (const request of variants(endpoint, tenant)) {
        // The exempt customer's cart is made of the second shop's options.
        if (tenant === taxedOnTop && request.body !== undefined && isExempt(request.body)) continue;
        const reply = await send(service, endpoint, request, { keys: tenant.shop.keys });
        expect([request, reply.status, reply.error]).toEqual([request, endpoint.success.status, undefined]);
        const isEmpty = endpoint.success.status === 204;
        expect(reply.headers['content-type']).toBe(isEmpty ? undefined : 'application/json; charset=utf-8');
        bodies.push(isEmpty ? undefined : JSON.parse(reply.text));
        expect(faultsOf(bodies.at(-1))).toEqual([]);
      }
    }
    await expectGolden('replies', id, bodies);
    expect(handed.filter((reply) => reply.id === id).flatMap(({ envelope }) => faultsOf(envelope))).toEqual(
      [],
    );
    expect(service.faults).toEqual([]);
  });

  test('shows examples in its declared shape', () => {
    const { example, metaExample } = endpoint.success;
    if (example === undefined) return;
    expect(faultsOf({ data: example, ...(metaExample !== undefined && { meta: metaExample }) })).toEqual([]);
  });
});

function isExempt(body: unknown): boolean {
  return (body as { customer?: unknown }).customer === exemptCustomer;
}

test('a name that is not declared, a wrong type and a missing field are found', () => {
  const endpoint = endpoints.find(({ success }) => Array.isArray(success.example) && !success.meta)!;
  const faultsOf = replyFaults(endpoint);
  const [item] = endpoint.success.example as Record<string, unknown>[];
  const { id, ...rest } = item!;
  expect(faultsOf({ data: [item] })).toEqual([]);
  expect(faultsOf({ data: [{ ...item, more: 1 }] })).toHaveLength(1);
  expect(faultsOf({ data: [{ ...item, id: [id] }] })).not.toEqual([]);
  expect(faultsOf({ data: [rest] })).toHaveLength(1);
  expect(faultsOf({ data: [item], more: 1 })).toHaveLength(1);
});

test('the lists that are checked are not empty, and an exemption is among the orders', async () => {
  for (const endpoint of endpoints) {
    const { data } = await send(service, endpoint, validRequest(endpoint, taxedOnTop), {
      keys: taxedOnTop.shop.keys,
    });
    if (Array.isArray(data)) expect([endpoint.id, data.length]).not.toEqual([endpoint.id, 0]);
  }
  const { data: orders } = await service.call('GET', '/api/v1/orders', { keys: taxIncluded.shop.keys });
  // The clock stands still, so the order of the rows is unknown.
  const adjustments = orders.flatMap((order: { adjustments: object[] }) => order.adjustments);
  expect(adjustments).toContainEqual(expect.objectContaining({ isTaxExemption: true }));
});
