import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../kernel/assert.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { DeclaredHeader } from './endpoint-requests.ts';
import { secretKeyLengthMin, takesIdempotencyKey } from './idempotency-key.ts';
import { describeCommonProperties } from './openapi-descriptions.ts';
import { headerRef, headerRefs, jsonContent, replyHeaders } from './openapi-parts.ts';
import {
  type ErrorWords,
  finishedResponses,
  refusalResponses,
  type SharedRefusals,
} from './openapi-refusals.ts';
import { fileTypesOf, possibleErrorCodes } from './possible-errors.ts';

interface ApiInfo {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly baseUrl: string;
  /** The description of each tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the service sends by itself: operations by name. */
  readonly webhooks?: Readonly<Record<string, object>>;
  /** Whether properties that mean the same everywhere are described by their name: see `describeCommonProperties`. */
  readonly describesCommon?: true;
}

type Json = Record<string, unknown>;

/** The differences between the interface of integrators and that of staff. */
export interface Audience<One extends AnyEndpoint> {
  readonly security: readonly Json[];
  readonly securitySchemes: Json;
  /** What an operation requires; added to its description. */
  terms(endpoint: One): string;
  /** For operations with fewer requirements. */
  securityOf?(endpoint: One): readonly Json[] | undefined;
  readonly errorWords: ErrorWords;
}

/** The OpenAPI 3.1 document of the endpoints; deterministic. */
export function buildOpenApi<One extends AnyEndpoint>(
  endpoints: readonly One[],
  audience: Audience<One>,
  info: ApiInfo,
): object {
  const schemas: Json = {};
  const refusals: SharedRefusals = { responses: {}, schemas };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints.toSorted(
    (a, b) => compare(a.path, b.path) || compare(a.method, b.method),
  )) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(endpoint, audience, schemas, refusals);
  }
  if (info.describesCommon) describeCommonProperties(schemas, paths);
  const sharedReplies = shareReplies(paths);
  const tags = [...new Set(endpoints.map(({ tag }) => tag))].toSorted(compare);
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // One address for all paths: a path with an address of its own keeps some generated clients there, though they are set to
    // another one.
    servers: [{ url: info.baseUrl, description: 'Base address' }],
    security: audience.security,
    tags: tags.map((name) => {
      const description = info.tags[name];
      assert(description !== undefined, `the tag ${name} has no description`);
      return { name, description };
    }),
    paths,
    ...(info.webhooks && { webhooks: info.webhooks }),
    components: {
      securitySchemes: audience.securitySchemes,
      parameters: {
        IdempotencyKey: idempotencyKeyParameter,
        ...(endpoints.some((endpoint) => 'takesIfMatch' in endpoint && endpoint.takesIfMatch) && {
          IfMatch: ifMatchParameter,
        }),
      },
      headers: endpoints.some(({ success }) => success.revalidates) ? replyHeaders : plainReplyHeaders,
      responses: sortedByName({ ...finishedResponses(refusals.responses), ...sharedReplies }),
      schemas: sortedByName(schemas),
    },
  };
}

/**
 * Moves replies that several operations share (the order after a step) out of the paths, named after the first
 * operation: with their examples they were a tenth of the document.
 */
function shareReplies(paths: Readonly<Record<string, Json>>): Json {
  const alike = new Map<string, { name: string; reply: unknown; places: (readonly [Json, string])[] }>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item) as Json[])) {
    const { operationId, responses } = operation as { operationId?: string; responses?: Json };
    if (operationId === undefined || responses === undefined) continue;
    for (const [status, reply] of Object.entries(responses)) {
      if (!status.startsWith('2') || !('content' in (reply as Json))) continue;
      const text = JSON.stringify(reply);
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Reply`;
      const group = alike.get(text) ?? { name, reply, places: [] };
      group.places.push([responses, status]);
      alike.set(text, group);
    }
  }
  const shared: Json = {};
  for (const { name, reply, places } of alike.values()) {
    if (places.length === 1) continue;
    shared[name] = reply;
    for (const [responses, status] of places) {
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

function sortedByName(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => compare(a, b)));
}

function operation<One extends AnyEndpoint>(
  endpoint: One,
  audience: Audience<One>,
  schemas: Json,
  refusals: SharedRefusals,
): Json {
  const { id, summary, description, tag, body, requestExample } = endpoint;
  const fileTypes = fileTypesOf(endpoint);
  const security = audience.securityOf?.(endpoint);
  const parameters = [
    ...parametersOf(endpoint.params, 'path', schemas),
    ...parametersOf(endpoint.query, 'query', schemas),
    ...(endpoint.success.revalidates ? [ifNoneMatchParameter] : []),
    ...(endpoint.headers ?? []).map(headerParameter),
    ...('takesIfMatch' in endpoint && endpoint.takesIfMatch
      ? [{ $ref: '#/components/parameters/IfMatch' }]
      : []),
    ...(takesIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId: id,
    summary,
    description: `${description}\n\n${audience.terms(endpoint)}`,
    tags: [tag],
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: requiredOf(body).length > 0,
        content: jsonContent(hoisted(body, schemas), { example: requestExample }),
      },
    }),
    ...(fileTypes && {
      requestBody: {
        required: true,
        // Raw bytes have no schema (OpenAPI 3.1).
        content: Object.fromEntries(fileTypes.map((type) => [type, {}])),
      },
    }),
    responses: responses(endpoint, audience, schemas, refusals),
  };
}

const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The entity tag of the reply that the caller has: 304 while it is current.',
  schema: { type: 'string' },
};

const headerParameter = ({ name, description }: DeclaredHeader) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: 100 },
});

/** Most changes take it, so it is defined once. */
const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The expected `updatedAt` of the resource, as it was read, in quotation marks. If it has changed since, nothing is ' +
    'written: `STALE_EDIT`. Without the header the current state is changed.',
  schema: { type: 'string', example: '"2026-03-01T17:05:09.123Z"' },
};

/** Every write takes it, so it is defined once. */
const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a write safe to retry: 1 to 255 visible characters, best a fresh UUID for each write. For 48 hours a ' +
    'request with this key runs once. The same request, also while the first one still runs, gets the reply of the ' +
    'first one with `Idempotent-Replayed: true`. Another request with the key is refused with ' +
    '`IDEMPOTENCY_KEY_REUSED`. A refused request leaves the key free. Keys of different callers are ' +
    `independent. Where the reply shows a new key or token, the key must have at least ${secretKeyLengthMin} characters.`,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
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
  refusals: SharedRefusals,
): Json {
  const { status, data, vouchedData, meta, description, example, metaExample, revalidates, file } =
    endpoint.success;
  const headers = {
    ...headerRefs,
    ...(revalidates && { ETag: headerRef('ETag') }),
    ...(takesIdempotencyKey(endpoint) && { 'Idempotent-Replayed': headerRef('Idempotent-Replayed') }),
  };
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
      ...(vouchedData && { 'x-vouched-data': hoisted(vouchedData, schemas) }),
      ...((data || file) && {
        content: {
          ...(data && jsonContent(envelope, { example: value })),
          ...(file && Object.fromEntries(file.map((mediaType) => [mediaType, {}]))),
        },
      }),
    },
    ...(revalidates && { 304: { description: 'The caller has the current reply.', headers } }),
    ...refusalResponses(endpoint.id, possibleErrorCodes(endpoint), audience.errorWords, refusals),
  };
}

const { ETag: _, ...plainReplyHeaders } = replyHeaders;

/** A schema without internal keywords, its named parts moved into `schemas`. */
function hoisted(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoisted(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { 'x-words': words, ...unsaid } = schema as Json;
  const parts = hoistedParts(unsaid, schemas);
  return words === undefined ? parts : { ...parts, description: words };
}

function hoistedParts(schema: Json, schemas: Json): Json {
  if ('x-shown-as' in schema) return hoisted(schema['x-shown-as'], schemas) as Json;
  const {
    'x-name': name,
    'x-error-code': _code,
    'x-expected': _expected,
    'x-reads': _reads,
    ...keywords
  } = schema;
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
