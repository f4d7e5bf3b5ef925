/*
 * The operations of the API as tools of an assistant: made of the OpenAPI description that the service itself serves, so a newer service has
 * its newer operations.
 */

type Json = Readonly<Record<string, unknown>>;

interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: Json }>>;
  };
}

/** What of a served description is read. */
export interface ServiceDescription {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** An operation as a tool. */
export interface AssistantTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  /** The names of the arguments that go into the path, and into the query. */
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly inputSchema: Json & { readonly type: 'object' };
}

const readMethods = ['get'];
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads that change nothing although they are sent by POST. */
const readsByPost = ['priceCart'];

/**
 * The operations that a key with these permissions may call: reads, and with `writes` the others too. Operations of files, and those that send
 * codes to people, are left out.
 */
export function assistantTools(
  description: ServiceDescription,
  permissions: readonly string[],
  { writes }: { readonly writes: boolean },
): AssistantTool[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as DescribedOperation | undefined;
      if (operation === undefined || !isForAssistants(operation)) return [];
      const isRead = readMethods.includes(method) || readsByPost.includes(operation.operationId);
      if (!(isRead || writes) || !isAllowed(operation, permissions)) return [];
      return [toolOf(description, path, method, operation)];
    }),
  );
}

/** Whether a tool changes nothing. */
export function isReadOnly({ name, method }: Pick<AssistantTool, 'name' | 'method'>): boolean {
  return readMethods.includes(method) || readsByPost.includes(name);
}

function isForAssistants({ operationId, requestBody }: DescribedOperation): boolean {
  const types = Object.keys(requestBody?.content ?? {});
  const isFile = types.length > 0 && !types.includes('application/json');
  return !isFile && !/CustomerCode|CustomerSession/.test(operationId);
}

/** The description names the permissions, any of which is enough: "Permission `customers` or `customers:read`". */
function isAllowed({ description }: DescribedOperation, permissions: readonly string[]): boolean {
  const said = /^Permissions? (.*?)(?:, rate limit|\.|$)/m.exec(description)?.[1];
  if (said === undefined) return true;
  const names = [...said.matchAll(/`([\w:-]+)`/g)].map(([, name]) => name!);
  return names.length === 0 || names.some((name) => permissions.includes(name));
}

function toolOf(
  { components }: ServiceDescription,
  path: string,
  method: string,
  operation: DescribedOperation,
): AssistantTool {
  const parameters = (operation.parameters ?? []).filter((it) => it.in === 'path' || it.in === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  const properties = {
    ...Object.fromEntries(
      parameters.map((it) => [
        it.name,
        { ...it.schema, ...(it.description !== undefined && { description: it.description }) },
      ]),
    ),
    ...(body !== undefined && { body }),
  };
  const required = [
    ...parameters.filter((it) => it.required).map((it) => it.name),
    ...(body !== undefined && operation.requestBody?.required ? ['body'] : []),
  ];
  const { schema, defs } = withDefinitions(properties, components.schemas);
  return {
    ...{ name: operation.operationId, title: operation.summary, method, path },
    description: `${operation.summary}. ${operation.description}`,
    pathNames: parameters.filter((it) => it.in === 'path').map((it) => it.name),
    queryNames: parameters.filter((it) => it.in === 'query').map((it) => it.name),
    inputSchema: {
      ...{ type: 'object', properties: schema, required, additionalProperties: false },
      ...(Object.keys(defs).length > 0 && { $defs: defs }),
    },
  };
}

/** The schemas with `$defs` of all that they refer to, so that each tool stands alone. */
function withDefinitions(
  properties: Json,
  schemas: Readonly<Record<string, Json>>,
): { readonly schema: Json; readonly defs: Json } {
  const defs: Record<string, Json> = {};
  const copied = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copied);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, it]) => {
        if (key !== '$ref' || typeof it !== 'string') return [key, copied(it)];
        const name = it.split('/').at(-1)!;
        if (!(name in defs)) {
          // Named before it is copied: schemas may refer to each other.
          defs[name] = {};
          defs[name] = copied(schemas[name]) as Json;
        }
        return [key, `#/$defs/${name}`];
      }),
    );
  };
  return { schema: copied(properties) as Json, defs };
}
