import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { endpoint, replyEmpty, signInEndpoint, staffEndpoint } from './endpoint.ts';
import { buildOpenApi } from './openapi.ts';
import { keyAudience, staffAudience } from './openapi-audiences.ts';
import { possibleErrorCodes } from './possible-errors.ts';
import { Id, Named, Nullable } from './schemas.ts';
import { toyEndpoints } from './toy-server.test-support.ts';

const info = {
  title: 'Toys',
  version: '1.0.0',
  description: 'Toys',
  baseUrl: 'http://127.0.0.1:8080',
  tags: { Toys: 'Toys', Menu: 'Their menu' },
};
// biome-ignore lint/suspicious/noExplicitAny: a document to look into
const document = buildOpenApi(toyEndpoints, keyAudience, info) as any;

function declared(id: string, data: ReturnType<typeof Named>) {
  return endpoint({
    ...{
      id,
      method: 'GET',
      path: `/${id}`,
      address: 'base',
      permission: 'menu',
      publishableKey: 'refused',
      kind: 'read',
    },
    ...{ summary: id, description: id, tag: 'Toys', failures: [] },
    success: { status: 200, data, description: id },
    handle: async () => ({ kind: 'empty' }),
  });
}

describe('the document', () => {
  it('does not depend on the order of the declarations', () => {
    expect(JSON.stringify(buildOpenApi(toyEndpoints.toReversed(), keyAudience, info))).toBe(
      JSON.stringify(document),
    );
  });

  it('has every operation with its parameters, body, example and keys', () => {
    const post = document.paths['/api/v1/toys'].post;
    expect(post.operationId).toBe('placeToy');
    expect(post.description).not.toMatch(/D18|D30/);
    expect(post.requestBody.required).toBe(true);
    expect(post.requestBody.content['application/json'].example).toEqual(toyEndpoints[0]!.requestExample);
    expect(post.parameters.map((it: { name: string }) => it.name)).toEqual(['dryRun', 'limit', undefined]);
    expect(post.parameters[2]).toEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    expect(document.components.parameters.IdempotencyKey).toMatchObject({ in: 'header' });
    expect(post.responses[201].headers['Idempotent-Replayed']).toBeDefined();
    expect(document.paths['/api/v1/toys/{toyId}'].get.parameters[0]).toMatchObject({
      in: 'path',
      required: true,
    });
    expect(document.security).toEqual([{ consumerKey: [], clientKey: [] }]);
  });

  it('has one address for all paths, those of the menu too, so that clients can be set to another', () => {
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual([info.baseUrl]);
    expect(document.paths['/api/v1/toy-menu'].servers).toBeUndefined();
    expect(document.paths['/api/v1/toys'].servers).toBeUndefined();
  });

  it('names schemas once and points at them, null or not', () => {
    const Part = Named('Part', Type.Object({ id: Id() }));
    const { paths, components } = buildOpenApi(
      [declared('a', Part), declared('b', Nullable(Part))],
      keyAudience,
      info,
    ) as typeof document;
    const dataOf = (path: string) =>
      paths[path].get.responses[200].content['application/json'].schema.properties.data;
    expect(dataOf('/a')).toEqual({ $ref: '#/components/schemas/Part' });
    expect(dataOf('/b')).toEqual({ anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] });
    expect(components.schemas.Part.type).toBe('object');
    expect(() =>
      buildOpenApi([declared('a', Part), declared('b', Named('Part', Id()))], keyAudience, info),
    ).toThrow('named Part');
  });

  it('contains no internal keywords', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-/);
  });

  it('describes every refusal with condition and remedy, one response per status, and its codes with their facts', () => {
    const { responses } = document.paths['/api/v1/toys'].post;
    const refusal = (status: number) =>
      document.components.responses[responses[status].$ref.replace('#/components/responses/', '')];
    const codesOf = (response: typeof document): string[] => {
      const { error } = response.content['application/json'].schema.properties;
      return (error.oneOf ?? [error]).map(({ $ref }: { $ref: string }) => {
        const { properties } = document.components.schemas[$ref.replace('#/components/schemas/', '')];
        return properties.code.enum[0];
      });
    };
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(codesOf(refusal(400))).toEqual([
      'INVALID_JSON',
      'MISSING_PARAMS',
      'INVALID_PARAMS',
      'INVALID_IDEMPOTENCY_KEY',
      'INVALID_ORDER_QUANTITY',
    ]);
    expect(document.components.schemas.OutOfStockRefusal.description).toContain(
      'There is not enough stock. Reduce',
    );
    expect(refusal(429).headers['Retry-After']).toBeDefined();
    expect(codesOf(refusal(429))).toEqual(['RATE_LIMITED']);
    expect(document.components.schemas.OutOfStockRefusal.properties.meta.required).toEqual([
      'lineItem',
      'product',
    ]);
    expect(document.components.schemas.Error).toBeUndefined();
  });

  it('documents revalidation', () => {
    const { get } = document.paths['/api/v1/toys'];
    expect(get.responses[304]).toBeDefined();
    expect(get.parameters.at(-1).name).toBe('If-None-Match');
  });

  it('refuses a tag without a description', () => {
    expect(() => buildOpenApi(toyEndpoints, keyAudience, { ...info, tags: {} })).toThrow(
      'the tag Menu has no description',
    );
  });
});

describe('the document of the staff', () => {
  const shared = { kind: 'write', summary: 'Toy', description: 'Toy.', tag: 'Menu', failures: [] } as const;
  const success = { status: 204, description: 'Done' } as const;
  const one = staffEndpoint({
    ...shared,
    ...{ id: 'wind', method: 'POST', path: '/staff/v1/winds', roles: ['budtender'], success },
    handle: async () => replyEmpty(),
  });
  const open = signInEndpoint({
    ...shared,
    ...{ id: 'enter', method: 'POST', path: '/staff/v1/enters', body: Type.Object({}), success },
    handle: async () => replyEmpty(),
  });
  const { security, components, paths } = buildOpenApi([one, open], staffAudience, info) as typeof document;

  it('requires a session, by cookie or by token, except to sign in', () => {
    expect(security).toEqual([{ sessionCookie: [] }, { bearerToken: [] }]);
    expect(Object.keys(components.securitySchemes)).toEqual(['sessionCookie', 'bearerToken']);
    expect(paths['/staff/v1/winds'].post.security).toBeUndefined();
    expect(paths['/staff/v1/enters'].post.security).toEqual([]);
  });

  it('lists the files an operation takes, and the refusal of others', () => {
    const file = staffEndpoint({
      ...shared,
      ...{ id: 'draw', method: 'POST', path: '/staff/v1/drawings', roles: ['budtender'], success },
      bodyFile: ['image/png', 'image/webp'],
      handle: async () => replyEmpty(),
    });
    const { post } = (
      buildOpenApi([file], staffAudience, { ...info, tags: { Menu: 'Their menu' } }) as typeof document
    ).paths['/staff/v1/drawings'];
    expect(post.requestBody).toEqual({ required: true, content: { 'image/png': {}, 'image/webp': {} } });
    expect(possibleErrorCodes(file)).toEqual(
      expect.arrayContaining(['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']),
    );
    expect(possibleErrorCodes(file)).not.toContain('INVALID_JSON');
  });

  it('names roles and the refusals for staff', () => {
    const { description, responses } = paths['/staff/v1/winds'].post;
    const refusal = (status: number) =>
      components.responses[responses[status].$ref.replace('#/components/responses/', '')];
    expect(description).toBe('Toy.\n\nRoles: `owner`, `budtender`.');
    expect(components.schemas.InvalidApiCredentialsRefusal.description).toContain(
      'Sign in with POST /staff/v1/sessions.',
    );
    expect(refusal(403).description).toContain('`CROSS_ORIGIN_REQUEST`');
    expect(JSON.stringify([components.responses, components.schemas])).not.toMatch(
      /X-Consumer-Key|client key/,
    );
    expect(possibleErrorCodes(open)).not.toContain('INSUFFICIENT_PERMISSIONS');
  });
});

it('the codes of an operation are those of the frame, its schemas, its path and its own', () => {
  const codes = (id: string) => possibleErrorCodes(toyEndpoints.find((it) => it.id === id)!);
  expect(codes('removeToy')).toEqual([
    'INVALID_API_CREDENTIALS',
    'INSUFFICIENT_PERMISSIONS',
    'RATE_LIMITED',
    'INVALID_PARAMS',
    'IDEMPOTENCY_KEY_REUSED',
    'PRODUCT_NOT_FOUND',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    'STORAGE_FULL',
  ]);
  expect(codes('breakToy')).not.toContain('MISSING_PARAMS');
  expect(codes('breakToy')).toContain('INVALID_JSON');
});
