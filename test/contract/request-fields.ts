import type { ErrorCode } from '../../src/kernel/error-catalog.ts';

/** The parts of a request schema that these tests read. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly 'x-error-code'?: ErrorCode;
  /** What a value must be, in words. */
  readonly 'x-expected'?: string;
}

/** A place in a body. */
export interface Field {
  readonly path: readonly (string | number)[];
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

/** Every place in a body, without the body itself; lists are entered at their first item. */
export function fieldsOf(schema: FieldSchema, path: Field['path'] = []): Field[] {
  if (schema.items) {
    const item = { path: [...path, 0], schema: schema.items, isRequired: false };
    return [item, ...fieldsOf(schema.items, item.path)];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    {
      path: [...path, name],
      schema: property,
      isRequired: schema.required?.includes(name) ?? false,
    },
    ...fieldsOf(property, [...path, name]),
  ]);
}

/** As messages write it: `lineItems[0].quantity`. */
export function fieldName(path: Field['path']): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The body with another value in a place; absent parents are created with their required fields. */
export function withValueAt(
  body: unknown,
  schema: FieldSchema,
  path: Field['path'],
  value: unknown,
): unknown {
  const copy = structuredClone(body);
  setAt(copy, schema, path, value);
  return copy;
}

/** The same in the body itself. */
export function setAt(body: unknown, schema: FieldSchema, path: Field['path'], value: unknown): void {
  const { parent, last } = enter(body, schema, path);
  parent[last] = value;
}

/** The body without a place. */
export function withoutPlace(body: unknown, schema: FieldSchema, path: Field['path']): unknown {
  const copy = structuredClone(body);
  const { parent, last } = enter(copy, schema, path);
  delete parent[last];
  return copy;
}

type Parent = Record<string | number, unknown>;

function enter(body: unknown, schema: FieldSchema, path: Field['path']) {
  let parent = body as Parent;
  let at = schema;
  for (const step of path.slice(0, -1)) {
    at = typeof step === 'number' ? at.items! : at.properties![step]!;
    // A text may stand for an object that has fields of its own.
    if (at.properties && typeof parent[step] === 'string') parent[step] = sampleOf(at);
    parent[step] ??= sampleOf(at);
    parent = parent[step] as Parent;
  }
  return { parent, last: path.at(-1)! };
}

/** A value of the schema's type, with required fields; its format may be wrong. */
export function sampleOf(schema: FieldSchema): unknown {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties![name]!)]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return schema['x-expected']?.includes('https address') ? 'https://pictures.example.com/x.jpg' : 'x';
  }
}

/** A value of another type than the schema's, not null. */
export function wrongTypeOf(schema: FieldSchema): unknown {
  return { object: [], array: {}, integer: '7', number: '7', boolean: 'true', string: 7 }[
    [schema.type].flat()[0] ?? 'string'
  ];
}
