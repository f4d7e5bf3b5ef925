type Json = Readonly<Record<string, unknown>>;

/** The compared parts of an OpenAPI document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    /** Replies that several operations share. */
    readonly responses?: Readonly<Record<string, Reply>>;
  };
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    required?: boolean;
    schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses?: Readonly<Record<string, Reply>>;
}

interface Reply {
  readonly $ref?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Schema extends Json {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const none: Schema = {};
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The changes in `present` that break a client written for `released` (D61), as texts; empty when v1 has only grown.
 * Requests may require less and accept more, replies may contain more.
 */
export function breakingChanges(released: OpenApi, present: OpenApi): string[] {
  const comparison = new Comparison(released, present);
  const changes: string[] = [];
  for (const name of Object.keys(released.components.schemas)) {
    if (!Object.hasOwn(present.components.schemas, name)) changes.push(`the schema ${name} is missing`);
  }
  for (const [path, item] of Object.entries(released.paths)) {
    for (const method of methods) {
      const before = item[method];
      if (before === undefined) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const after = present.paths[path]?.[method];
      if (after === undefined) changes.push(`${name} is missing`);
      else changes.push(...comparison.operationChanges(before, after).map((change) => `${name}: ${change}`));
    }
  }
  return changes;
}

/** Compares parts of the two documents; each method returns the breaking changes as texts. */
class Comparison {
  private readonly released: OpenApi;
  private readonly present: OpenApi;

  constructor(released: OpenApi, present: OpenApi) {
    this.released = released;
    this.present = present;
  }

  operationChanges(before: Operation, after: Operation): string[] {
    return [
      ...(before.operationId === after.operationId ? [] : [`operationId was ${before.operationId}`]),
      ...this.parameterChanges(before.parameters ?? [], after.parameters ?? []),
      ...this.bodyChanges(before.requestBody, after.requestBody),
      ...Object.entries(before.responses ?? {}).flatMap(([status, reply]) => {
        if (!status.startsWith('2')) return [];
        const now = after.responses?.[status];
        return now === undefined
          ? [`status ${status} is missing`]
          : this.replyChanges(
              replySchema(reply, this.released),
              replySchema(now, this.present),
              `reply ${status}`,
            );
      }),
    ];
  }

  parameterChanges(
    before: NonNullable<Operation['parameters']>,
    after: NonNullable<Operation['parameters']>,
  ): string[] {
    const find = (list: typeof before, { name, in: place }: { name: string; in: string }) =>
      list.find((it) => it.name === name && it.in === place);
    return [
      ...before.flatMap((parameter) => {
        const now = find(after, parameter);
        if (now === undefined) return [`the parameter ${parameter.name} is missing`];
        return this.requestChanges(parameter.schema, now.schema, parameter.name);
      }),
      ...after
        .filter((parameter) => parameter.required && !find(before, parameter)?.required)
        .map(({ name }) => `the parameter ${name} is now required`),
    ];
  }

  bodyChanges(before: Operation['requestBody'], after: Operation['requestBody']): string[] {
    if (after?.required && !before?.required) return ['the body is now required'];
    return before === undefined
      ? []
      : this.requestChanges(schemaOf(before.content), schemaOf(after?.content), 'body');
  }

  /** Everything that was accepted must still be accepted. */
  requestChanges(old: Schema, given: Schema, at: string): string[] {
    const [before, after] = [plain(old, this.released), plain(given, this.present)];
    const isRaised = (keyword: string) =>
      ((after[keyword] as number | undefined) ?? Number.NEGATIVE_INFINITY) >
      ((before[keyword] as number | undefined) ?? Number.NEGATIVE_INFINITY);
    const isLowered = (keyword: string) =>
      ((after[keyword] as number | undefined) ?? Number.POSITIVE_INFINITY) <
      ((before[keyword] as number | undefined) ?? Number.POSITIVE_INFINITY);
    return [
      ...lost(typesOf(before), typesOf(after)).map((type) => `${at} no longer accepts ${type}`),
      ...(after.enum ? lost(before.enum ?? ['any value'], after.enum) : []).map(
        (it) => `${at} no longer accepts ${it}`,
      ),
      ...['minimum', 'minLength', 'minItems']
        .filter(isRaised)
        .map((keyword) => `${at}: ${keyword} is higher`),
      ...['maximum', 'maxLength', 'maxItems']
        .filter(isLowered)
        .map((keyword) => `${at}: ${keyword} is lower`),
      ...['pattern', 'format']
        .filter((keyword) => after[keyword] !== undefined && after[keyword] !== before[keyword])
        .map((keyword) => `${at}: another ${keyword}`),
      ...lost(after.required ?? [], before.required ?? []).map((name) => `${at}.${name} is now required`),
      ...this.partChanges(before, after, at, (a, b, c) => this.requestChanges(a, b, c)),
    ];
  }

  /** Every field must still exist, with the same type. */
  replyChanges(old: Schema, given: Schema, at: string): string[] {
    const [before, after] = [plain(old, this.released), plain(given, this.present)];
    return [
      ...lost(typesOf(after), typesOf(before)).map((type) => `${at} can now be ${type}`),
      ...(before.format === after.format ? [] : [`${at}: another format`]),
      ...lost(before.required ?? [], after.required ?? []).map((name) => `${at}.${name} can now be absent`),
      ...this.partChanges(before, after, at, (a, b, c) => this.replyChanges(a, b, c)),
    ];
  }

  partChanges(
    before: Schema,
    after: Schema,
    at: string,
    compare: (before: Schema, after: Schema, at: string) => string[],
  ): string[] {
    return [
      ...Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
        const now = after.properties?.[name];
        return now === undefined ? [`${at}.${name} is missing`] : compare(property, now, `${at}.${name}`);
      }),
      ...(before.items ? compare(before.items, after.items ?? none, `${at}[]`) : []),
    ];
  }
}

function schemaOf(content: Content | undefined): Schema {
  return content?.['application/json']?.schema ?? none;
}

function replySchema(reply: Reply, { components }: OpenApi): Schema {
  const shared = reply.$ref && components.responses?.[reply.$ref.split('/').at(-1)!];
  return schemaOf((shared || reply).content);
}

/** Resolves references, and turns `anyOf` with null into a nullable type; of several forms, the first with the types of all. */
function plain(schema: Schema, document: OpenApi): Schema {
  if (schema.$ref) return plain(document.components.schemas[schema.$ref.split('/').at(-1)!]!, document);
  if (!schema.anyOf) return schema;
  const first = plain(schema.anyOf[0]!, document);
  const types = schema.anyOf.flatMap((form) => typesOf(plain(form, document)));
  return { ...first, type: types };
}

function typesOf({ type }: Schema): readonly string[] {
  return [type ?? []].flat();
}

/** Items that are in the first list only. */
function lost<Item>(before: readonly Item[], after: readonly Item[]): Item[] {
  return before.filter((item) => !after.includes(item));
}
