import { isDeepStrictEqual } from 'node:util';
import { assert } from '../kernel/assert.ts';
import { type ErrorCode, errorCatalogue } from '../kernel/error-catalogue.ts';
import type { AnyEndpoint } from './endpoint.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly baseUrl: string;
  readonly menuUrl: string;
  /** What each tag stands for. */
  readonly tags: Readonly<Record<string, string>>;
}

type Json = Record<string, unknown>;

/** What differs between the interface of integrators and that of staff. */
export interface Audience<One extends AnyEndpoint> {
  readonly security: readonly Json[];
  readonly securitySchemes: Json;
  /** What an operation asks for, beside its own description. */
  terms(endpoint: One): string;
  /** For operations that ask for less. */
  securityOf?(endpoint: One): readonly Json[] | undefined;
  errorWords(code: ErrorCode): { readonly when: string; readonly remedy: string };
}

/** Every operation can answer these (D13). */
const alwaysPossible: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'INVALID_PARAMS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

const lacksRight = 'INSUFFICIENT_PERMISSIONS' as const;

function admissionRefusals(endpoint: AnyEndpoint): readonly ErrorCode[] {
  if (!('audience' in endpoint)) {
    return ['INVALID_API_CREDENTIALS', ...(endpoint.permission === null ? [] : [lacksRight])];
  }
  return [
    'INVALID_API_CREDENTIALS',
    ...(endpoint.roles === 'anyone' ? [] : [lacksRight]),
    ...(endpoint.method === 'GET' ? [] : (['CROSS_ORIGIN_REQUEST'] as const)),
  ];
}

function bodyRefusals({ bodyTooLarge = 'PAYLOAD_TOO_LARGE' }: AnyEndpoint): readonly ErrorCode[] {
  return ['UNSUPPORTED_MEDIA_TYPE', bodyTooLarge, 'INVALID_JSON'];
}

/** All codes that an operation can answer: its own, those of its schemas and those of the frame. */
export function possibleErrorCodes(endpoint: AnyEndpoint): readonly ErrorCode[] {
  const sent = [endpoint.query, endpoint.body].filter((schema) => schema !== undefined);
  const codes = new Set<ErrorCode>([
    ...admissionRefusals(endpoint),
    ...alwaysPossible,
    ...(endpoint.body ? bodyRefusals(endpoint) : []),
    ...(endpoint.alsoMissing || sent.some((schema) => JSON.stringify(schema).includes('"required":['))
      ? (['MISSING_PARAMS'] as const)
      : []),
    ...sent.flatMap(errorCodesIn),
    ...Object.values(endpoint.resourceParams),
    ...endpoint.failures,
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

function errorCodesIn(schema: unknown): ErrorCode[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'x-error-code' ? [value as ErrorCode] : errorCodesIn(value),
  );
}

/** The OpenAPI 3.1 document of the endpoints: the same declarations give the same bytes. */
export function buildOpenApi<One extends AnyEndpoint>(
  endpoints: readonly One[],
  audience: Audience<One>,
  info: ApiInfo,
): object {
  const schemas: Json = { Error: errorSchema };
  const refusals: Json = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints.toSorted(
    (a, b) => compare(a.path, b.path) || compare(a.method, b.method),
  )) {
    paths[endpoint.path] ??= endpoint.address === 'menu' ? { servers: [menuServer(info)] } : {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(endpoint, audience, schemas, refusals);
  }
  const tags = [...new Set(endpoints.map(({ tag }) => tag))].toSorted(compare);
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.baseUrl, description: 'Base address' }],
    security: audience.security,
    tags: tags.map((name) => {
      const description = info.tags[name];
      assert(description !== undefined, `the tag ${name} has no description`);
      return { name, description };
    }),
    paths,
    components: {
      securitySchemes: audience.securitySchemes,
      headers: endpoints.some(({ success }) => success.revalidates) ? replyHeaders : plainReplyHeaders,
      responses: sortedByName(refusals),
      schemas: sortedByName(schemas),
    },
  };
}

function sortedByName(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => compare(a, b)));
}

function menuServer({ menuUrl }: ApiInfo): Json {
  return { url: menuUrl, description: 'Menu address' };
}

function operation<One extends AnyEndpoint>(
  endpoint: One,
  audience: Audience<One>,
  schemas: Json,
  refusals: Json,
): Json {
  const { id, summary, description, source, tag, body, requestExample } = endpoint;
  const security = audience.securityOf?.(endpoint);
  const from = source.length > 0 ? ` Source: ${source.join(', ')}.` : '';
  const parameters = [
    ...parametersOf(endpoint.params, 'path', schemas),
    ...parametersOf(endpoint.query, 'query', schemas),
    ...(endpoint.success.revalidates ? [ifNoneMatchParameter] : []),
  ];
  return {
    operationId: id,
    summary,
    description: `${description}\n\n${audience.terms(endpoint)}${from}`,
    tags: [tag],
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: requiredOf(body).length > 0,
        content: jsonContent(hoisted(body, schemas), { example: requestExample }),
      },
    }),
    responses: responses(endpoint, audience, schemas, refusals),
  };
}

const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The entity tag of the reply that the caller holds: 304 when it is still the present one.',
  schema: { type: 'string' },
};

function parametersOf(schema: object | undefined, place: 'path' | 'query', schemas: Json): Json[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, object> };
  const required = requiredOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = hoisted(property, schemas) as Json;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function requiredOf(schema: object | undefined): readonly string[] {
  return (schema as { required?: string[] } | undefined)?.required ?? [];
}

function responses<One extends AnyEndpoint>(
  endpoint: One,
  audience: Audience<One>,
  schemas: Json,
  refusals: Json,
): Json {
  const { status, data, meta, description, example, metaExample, revalidates, file } = endpoint.success;
  const headers = { ...headerRefs, ...(revalidates && { ETag: headerRef('ETag') }) };
  const envelope = {
    type: 'object',
    required: meta ? ['data', 'meta'] : ['data'],
    properties: { data: hoisted(data, schemas), ...(meta && { meta: hoisted(meta, schemas) }) },
  };
  const value = example === undefined ? undefined : { data: example, ...(meta && { meta: metaExample }) };
  return {
    [status]: {
      description,
      headers,
      ...((data || file) && {
        content: {
          ...(data && jsonContent(envelope, { example: value })),
          ...(file && Object.fromEntries(file.map((mediaType) => [mediaType, {}]))),
        },
      }),
    },
    ...(revalidates && { 304: { description: 'The caller holds the present reply.', headers } }),
    ...errorResponses(possibleErrorCodes(endpoint), audience, refusals),
  };
}

/**
 * One response a status; each of its codes with condition and remedy. Most operations share most of them, so they are
 * kept once, named by their codes.
 */
function errorResponses(
  codes: readonly ErrorCode[],
  { errorWords }: Pick<Audience<never>, 'errorWords'>,
  refusals: Json,
): Json {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const these = codes.filter((code) => errorCatalogue[code].status === status);
      const isTemporary = status === 429 || status === 503;
      const name = these.map(inPascalCase).join('Or');
      refusals[name] = {
        description: these.map((code) => errorLine(code, errorWords(code))).join('\n'),
        headers: { ...headerRefs, ...(isTemporary && { 'Retry-After': headerRef('Retry-After') }) },
        content: jsonContent(
          { $ref: '#/components/schemas/Error' },
          {
            examples: Object.fromEntries(
              these.map((code) => [code, errorExample(code, errorWords(code).when)]),
            ),
          },
        ),
      };
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function inPascalCase(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

function errorLine(code: ErrorCode, { when, remedy }: { when: string; remedy: string }): string {
  const { meta } = errorCatalogue[code];
  return `- \`${code}\`: ${when} ${remedy}${meta ? ` \`meta\`: \`${meta}\`` : ''}`;
}

function errorExample(code: ErrorCode, message: string): Json {
  return { summary: code, value: { error: { message, code } } };
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: {
        message: { type: 'string', description: 'For people: names the field and what was expected.' },
        code: { type: 'string', description: 'For programs: a code of the catalogue.' },
        meta: { type: 'object', description: 'Facts of this code, where the catalogue says so.' },
      },
    },
  },
};

const replyHeaders = {
  'X-Request-Id': header(
    'string',
    'The id that the caller sent, or one of ours: names this request in our log.',
  ),
  'RateLimit-Limit': header('integer', 'Requests that may be sent at once.'),
  'RateLimit-Remaining': header('integer', 'Requests that are left.'),
  'RateLimit-Reset': header('integer', 'Seconds until all of them are there again.'),
  'Retry-After': header('integer', 'Seconds to wait before the same request is sent again.'),
  ETag: header('string', 'Names this state of the reply, for If-None-Match.'),
};

const { ETag: _, ...plainReplyHeaders } = replyHeaders;

function header(type: string, description: string): Json {
  return { description, schema: { type } };
}

function headerRef(name: keyof typeof replyHeaders): Json {
  return { $ref: `#/components/headers/${name}` };
}

const headerRefs = Object.fromEntries(
  (['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const).map((name) => [
    name,
    headerRef(name),
  ]),
);

function jsonContent(schema: unknown, samples: { example?: unknown; examples?: unknown }): Json {
  const given = Object.fromEntries(Object.entries(samples).filter(([, value]) => value !== undefined));
  return { 'application/json': { schema, ...given } };
}

/** A schema without the frame's own keywords, its named parts moved into `schemas`. */
function hoisted(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoisted(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { 'x-name': name, 'x-error-code': _code, 'x-expected': _expected, ...keywords } = schema as Json;
  const plain = Object.fromEntries(
    Object.entries(keywords).map(([key, value]) => [key, hoisted(value, schemas)]),
  );
  if (typeof name !== 'string') return plain;

  const isNullable = Array.isArray(plain.type) && plain.type.includes('null');
  const named = isNullable ? withoutNull(plain) : plain;
  const known = schemas[name];
  assert(known === undefined || isDeepStrictEqual(known, named), `two schemas are named ${name}`);
  schemas[name] = named;
  const reference = { $ref: `#/components/schemas/${name}` };
  return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

function withoutNull({ type, enum: values, ...rest }: Json): Json {
  const [only] = (type as string[]).filter((it) => it !== 'null');
  return {
    type: only,
    ...rest,
    ...(values ? { enum: (values as unknown[]).filter((it) => it !== null) } : {}),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
