import { randomUUID } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import { permissions } from '../../src/kernel/permission-catalog.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { takesIdempotencyKey } from '../../src/platform/http/idempotency-key.ts';
import { createTestKeys } from '../harness/test-shop.ts';
import { idOf, nowhereId, send, validRequest } from './contract-world.ts';
import type { Provocation, Refusal, Stage } from './refusal.ts';
import {
  type Field,
  type FieldSchema,
  fieldName,
  fieldsOf,
  withoutPlace,
  withValueAt,
  wrongTypeOf,
} from './request-fields.ts';

/** Refusals by the frame for every endpoint, generated from its declaration. */
export function frameRefusals(endpoint: Endpoint): Refusal[] {
  return [
    ...admissionRefusals(endpoint),
    ...faults(endpoint),
    ...(endpoint.body ? bodyRefusals(endpoint, endpoint.body as FieldSchema) : []),
    ...(takesIdempotencyKey(endpoint) ? keyRefusals(endpoint) : []),
    ...Object.entries(endpoint.resourceParams).flatMap(([name, code]) =>
      ['unknown', 'malformed'].map(
        (kind): Refusal => ({
          endpointId: endpoint.id,
          code,
          when: `${name} is ${kind === 'unknown' ? 'an unknown id' : 'no id at all'}`,
          arrange: ({ home }) => {
            const id = kind === 'unknown' ? nowhereId(idOf(endpoint, name, home)) : 'no id%';
            const request = validRequest(endpoint, home);
            return { request: { ...request, params: { ...request.params, [name]: id } } };
          },
          message: /^There is no such [\w ]+(?: \([\w, ]+\))?\.$/,
        }),
      ),
    ),
  ];
}

function keyRefusals(endpoint: Endpoint): Refusal[] {
  const { id: endpointId } = endpoint;
  return [
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'Idempotency-Key has a space',
      arrange: ({ home }) => ({
        request: validRequest(endpoint, home),
        options: { headers: { 'idempotency-key': 'two words' } },
      }),
      message: /^Idempotency-Key must be 1 to 255 visible characters/,
    },
    {
      endpointId,
      code: 'IDEMPOTENCY_KEY_REUSED',
      when: 'Idempotency-Key was used with another request',
      arrange: async ({ service, home }) => {
        const headers = { 'idempotency-key': randomUUID() };
        const body = { customerId: home.ids.customerId, pointsAmount: 0.25, reason: 'Another request' };
        const sent = await service.call('POST', '/api/v1/loyalty-events', {
          keys: home.shop.keys,
          headers,
          body,
        });
        assert(sent.status === 200, `the request before is refused: ${sent.text}`);
        return { request: validRequest(endpoint, home), options: { headers } };
      },
      message: /^Idempotency-Key was used with another request/,
    },
  ];
}

function admissionRefusals(endpoint: Endpoint): Refusal[] {
  const { id: endpointId, permission: needed, permissionForLess: less } = endpoint;
  const valid = ({ home }: Stage) => validRequest(endpoint, home);
  const withKeys = async (stage: Stage, settings: Parameters<typeof createTestKeys>[3]) => {
    const { organizationId, integrator } = stage.home.shop;
    return (await createTestKeys(stage.service.context, organizationId, integrator, settings)).keys;
  };
  return [
    {
      endpointId,
      code: 'INVALID_API_CREDENTIALS',
      when: 'no keys are sent',
      arrange: (stage) => ({ request: valid(stage), options: { keys: {} } }),
      message: /^X-Consumer-Key and X-Client-Key must be valid/,
    },
    ...(endpoint.publishableKey === 'allowed'
      ? [
          {
            endpointId,
            code: 'ORIGIN_NOT_ALLOWED' as const,
            when: 'a publishable key is used on another page',
            arrange: async (stage: Stage) => ({
              request: valid(stage),
              options: {
                keys: await withKeys(stage, { permissions: ['menu'], origins: ['https://shop.example'] }),
                headers: { origin: 'https://other.example' },
              },
            }),
            message: /^Origin must be one of the origins of the publishable key/,
          },
        ]
      : []),
    ...(needed === null
      ? [
          {
            endpointId,
            code: 'INSUFFICIENT_PERMISSIONS' as const,
            when: 'the key is publishable',
            arrange: async (stage: Stage) => ({
              request: valid(stage),
              options: {
                keys: await withKeys(stage, { permissions: ['menu'], origins: ['https://shop.example'] }),
                headers: { origin: 'https://shop.example' },
              },
            }),
            message: /^A publishable key cannot call this operation/,
          },
        ]
      : [
          {
            endpointId,
            code: 'INSUFFICIENT_PERMISSIONS' as const,
            when: 'the key has every permission but the one',
            arrange: async (stage: Stage) => ({
              request: valid(stage),
              options: {
                keys: await withKeys(stage, {
                  permissions: permissions.filter(
                    (permission) => permission !== needed && permission !== less,
                  ),
                }),
              },
            }),
            message: new RegExp(needed),
          },
        ]),
    {
      endpointId,
      code: 'RATE_LIMITED',
      when: 'the burst of the group is used up',
      arrange: async (stage) => {
        const keys = await withKeys(stage, {});
        const service = stage.limited;
        const unknownName = {
          ...valid(stage),
          body: endpoint.body && {},
          query: { ...valid(stage).query, tries: 1 },
        };
        let remaining = Number.POSITIVE_INFINITY;
        while (remaining > 0) {
          const { headers } = await send(service, endpoint, unknownName, { keys });
          remaining = Number(headers['ratelimit-remaining']);
        }
        return { service, request: valid(stage), options: { keys } };
      },
      message: /^The limit is \d+ requests a second\.$/,
      headers: { 'retry-after': /^1$/, 'ratelimit-remaining': /^0$/ },
    },
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'a strict key sends a query parameter that is not known (D5)',
      arrange: async (stage) => ({
        request: { ...valid(stage), query: { ...valid(stage).query, sortDirection: 'up' } },
        options: { keys: await withKeys(stage, { strict: true }) },
      }),
      message: /^sortDirection is not known/,
    },
  ];
}

/** Faults of the service. */
function faults(endpoint: Endpoint): Refusal[] {
  const inWorld =
    (world: 'withoutRights' | 'withoutDatabase' | 'withoutRoom'): Refusal['arrange'] =>
    (stage) => {
      const { service, home } = stage[world];
      return { service, shop: home.shop, request: validRequest(endpoint, home) };
    };
  return [
    {
      endpointId: endpoint.id,
      code: 'INTERNAL_ERROR',
      when: 'the database refuses the statements of the program',
      arrange: inWorld('withoutRights'),
      message: /^Something went wrong on our side\.$/,
    },
    {
      endpointId: endpoint.id,
      code: 'SERVICE_UNAVAILABLE',
      when: 'the database is gone',
      arrange: inWorld('withoutDatabase'),
      message: /database cannot be reached/,
      headers: { 'retry-after': /^\d+$/ },
    },
    {
      endpointId: endpoint.id,
      code: 'STORAGE_FULL',
      when: 'the disk of the database is full',
      arrange: inWorld('withoutRoom'),
      message: /no disk space left/,
      headers: { 'retry-after': /^\d+$/ },
    },
  ];
}

function bodyRefusals(endpoint: Endpoint, schema: FieldSchema): Refusal[] {
  const endpointId = endpoint.id;
  const sending =
    (options: NonNullable<Provocation['options']>): Refusal['arrange'] =>
    ({ home }) => ({ request: validRequest(endpoint, home), options });
  const changed =
    (change: (body: unknown) => unknown): Refusal['arrange'] =>
    ({ home }) => {
      const request = validRequest(endpoint, home);
      return { request: { ...request, body: change(request.body) } };
    };
  const fields = fieldsOf(schema);
  const wrong = ({ path, schema: { 'x-error-code': code, ...field } }: Field): Refusal => ({
    endpointId,
    code: code ?? 'INVALID_PARAMS',
    when: `${fieldName(path)} has the wrong type`,
    arrange: changed((body) => withValueAt(body, schema, path, wrongTypeOf(field))),
    message: new RegExp(`^${escaped(fieldName(path))} must be `),
  });
  const absent = ({ path }: Field): Refusal => ({
    endpointId,
    code: 'MISSING_PARAMS',
    when: `${fieldName(path)} is absent`,
    arrange: changed((body) => withoutPlace(body, schema, path)),
    message: new RegExp(escaped(fieldName(path))),
    meta: { missing: [fieldName(path)] },
  });
  return [
    {
      endpointId,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      when: 'the body is a form',
      arrange: sending({ headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      message: /Content-Type must be application\/json/,
    },
    {
      endpointId,
      code: endpoint.bodyTooLarge?.code ?? 'PAYLOAD_TOO_LARGE',
      when: 'the body is one byte too large',
      arrange: sending({ body: `{"type":"${'x'.repeat(endpoint.bodyBytesMax - 10)}"}` }),
      message: /must not be larger than [\d,]+ bytes/,
    },
    {
      endpointId,
      code: 'INVALID_JSON',
      when: 'the body ends too soon',
      arrange: sending({ body: '{"lineItems": [' }),
      message: /not well-formed JSON/,
    },
    // Without required fields, no body is equivalent to an empty object.
    ...((schema.required ?? []).length > 0
      ? [
          {
            endpointId,
            code: 'INVALID_JSON',
            when: 'the body is empty',
            arrange: sending({ body: '' }),
            message: /empty/,
          } as const,
        ]
      : []),
    {
      endpointId,
      code: 'INVALID_PARAMS',
      when: 'the body is a list',
      arrange: sending({ body: '[]' }),
      message: /^The body must be an object/,
    },
    ...fields.map(wrong),
    ...fields.filter(({ isRequired }) => isRequired).map(absent),
  ];
}

function escaped(text: string): string {
  return text.replace(/[.[\]]/g, '\\$&');
}
