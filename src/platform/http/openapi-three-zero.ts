import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/**
 * The document as OpenAPI 3.0, for generators that do not read 3.1: many for Python, PHP, Java and others. It has the same
 * operations, fields and codes. Patterns are left out, because generators have their own dialects of them; the service checks
 * what it gets in any case.
 */
export function toOpenApi30(document: object): object {
  // 3.0 has no webhooks, and generators refuse a document with them.
  const { info, paths, components, webhooks: _webhooks, ...rest } = document as Json;
  const { license: _, ...plainInfo } = info as Json;
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...plainInfo, license: { name: 'MIT' } },
    paths: plain(paths),
    components: plain(components),
  };
}

/** Examples are values, and properties have names of their own: neither is read as a schema keyword. */
function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plain);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'example') return [[keyword, value]];
    if (keyword === 'examples') return Array.isArray(value) ? [['example', value[0]]] : [[keyword, value]];
    if (keyword === 'pattern' && typeof value === 'string') return [];
    if (keyword === 'properties') return [[keyword, plainProperties(value as Json)]];
    return [[keyword, plain(value)]];
  });
  return withoutNewerTypes(Object.fromEntries(entries));
}

function plainProperties(properties: Json): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema)]));
}

/** 3.0 has one type for each schema: it marks what may be null, and what must be greater than its minimum. */
function withoutNewerTypes(schema: Json): Json {
  const { type, enum: values, anyOf, exclusiveMinimum: above, ...rest } = schema;
  // Beside a reference nothing else is read.
  if ('$ref' in rest && Object.keys(rest).length > 1) {
    const { $ref, ...more } = rest;
    return { ...more, allOf: [{ $ref }] };
  }
  if (typeof above === 'number') {
    return withoutNewerTypes({ ...rest, type, minimum: above, exclusiveMinimum: true });
  }
  if (type === 'null') return { ...rest, ...onlyNull };
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    return {
      ...rest,
      // By the letter of 3.0 `null` stays among the values; generators stumble over it.
      ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
      ...(types.length === 1 ? { type: types[0] } : { anyOf: types.map((name) => ({ type: name })) }),
      ...(types.length < type.length && { nullable: true }),
    };
  }
  if (Array.isArray(anyOf) && isDeepStrictEqual(anyOf[1], onlyNull)) {
    return { ...rest, type: 'object', allOf: [anyOf[0]], nullable: true };
  }
  return schema;
}

/** What is always null. */
const onlyNull = { type: 'string', maxLength: 0, nullable: true };
