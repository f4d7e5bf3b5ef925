/*
 * Requests of operations as code: made of the OpenAPI document alone, of the example of the body and of the parameters that are required. The
 * reference page shows them, and each is run by a test.
 */

interface SampledSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SampledSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly required?: readonly string[];
}

interface SampledParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: SampledSchema;
}

/** An operation of the document, as far as a request is made of it. */
export interface SampledOperation {
  readonly operationId: string;
  readonly parameters?: readonly (SampledParameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema?: SampledSchema; readonly example?: unknown }>
    >;
  };
}

interface SampledDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** A request as it goes over the wire. */
export interface SampleRequest {
  readonly operationId: string;
  readonly method: string;
  /** With the values of the parameters. */
  readonly path: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly query: Readonly<Record<string, string | number>>;
  /** JSON; undefined: none. */
  readonly body: unknown;
  /** The media type of a file in place of JSON. */
  readonly fileType: string | null;
}

const uuid = '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37';

/** A value that a parameter takes. */
function exampleValue(name: string, schema: SampledSchema, document: SampledDocument): string | number {
  if (schema.$ref !== undefined) {
    return exampleValue(name, document.components.schemas[schema.$ref.split('/').at(-1)!] as never, document);
  }
  const [form] = schema.anyOf ?? [];
  if (form !== undefined) return exampleValue(name, form, document);
  if (schema.enum !== undefined) return schema.enum.find((it) => it !== null) as string;
  const type = [schema.type].flat()[0];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1001);
  if (schema.format === 'uuid' || /Id$/.test(name)) return uuid;
  if (schema.format === 'date-time') return '2026-03-01T17:05:09.123Z';
  if (schema.format === 'date') return '2026-03-01';
  return `${name}-1`;
}

/** The request of an operation with its whole example, or the smallest one (`minimal`): with the required fields of its body. */
export function sampleRequest(
  document: SampledDocument,
  { method, path }: { readonly method: string; readonly path: string },
  operation: SampledOperation,
  { minimal }: { readonly minimal: boolean },
): SampleRequest {
  const all = (operation.parameters ?? []).map((it) =>
    it.$ref === undefined
      ? (it as SampledParameter)
      : (document.components.parameters![it.$ref.split('/').at(-1)!] as SampledParameter),
  );
  const valuesIn = (place: string) =>
    Object.fromEntries(
      all
        .filter((it) => it.in === place && (it.required || place === 'path'))
        .map((it) => [it.name, exampleValue(it.name, it.schema, document)]),
    );
  const params = valuesIn('path');
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  const isJson = json?.schema !== undefined;
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)),
    params,
    query: valuesIn('query'),
    body: isJson ? (minimal ? requiredPart(json.example, json.schema!, document) : json.example) : undefined,
    fileType: isJson ? null : (Object.keys(content)[0] ?? null),
  };
}

function requiredPart(example: unknown, schema: SampledSchema, document: SampledDocument): unknown {
  const { $ref } = schema;
  const plain =
    $ref === undefined
      ? schema
      : (document.components.schemas[$ref.split('/').at(-1)!] as SampledSchema | undefined);
  const names = plain?.required ?? [];
  // Where nothing is required, a request without fields would do nothing.
  if (names.length === 0 || typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).filter(([name]) => names.includes(name)));
}

/** The value in single quotes, as a POSIX shell and PHP take it. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function address({ path, query }: SampleRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

/** `curl` with the address and the keys in the variables of the guides. */
export function curlSample(request: SampleRequest): string {
  const { method, body, fileType } = request;
  const isPost = method === 'POST' && (body !== undefined || fileType !== null);
  const lines = [
    `curl ${method === 'GET' || isPost ? '' : `-X ${method} `}"$BASE${address(request)}"`,
    `-H "X-Consumer-Key: $CONSUMER_KEY" -H "X-Client-Key: $CLIENT_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
    ...(fileType === null ? [] : [`-H 'Content-Type: ${fileType}'`, '--data-binary @file']),
  ];
  return lines.join(' \\\n  ');
}

/** The client of this project; for a file, `fetch`. */
export function typescriptSample(request: SampleRequest): string {
  const { operationId, method, params, query, body, fileType } = request;
  if (fileType !== null) {
    return [
      `const reply = await fetch(process.env.BASE + ${JSON.stringify(address(request))}, {`,
      `  method: '${method}',`,
      `  headers: { 'X-Consumer-Key': process.env.CONSUMER_KEY, 'X-Client-Key': process.env.CLIENT_KEY, 'Content-Type': '${fileType}' },`,
      '  body: bytes,',
      '});',
    ].join('\n');
  }
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  };
  const given = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options, null, 2)}`;
  return `const { data } = await client.call('${operationId}'${given});`;
}

/** Python's `requests`. */
export function pythonSample(request: SampleRequest): string {
  const { method, query, path, body, fileType } = request;
  const lines = [
    `reply = requests.request("${method}", os.environ["BASE"] + ${JSON.stringify(path)},`,
    ...(Object.keys(query).length === 0 ? [] : [`    params=${pythonText(query)},`]),
    '    headers={"X-Consumer-Key": os.environ["CONSUMER_KEY"], "X-Client-Key": os.environ["CLIENT_KEY"]' +
      `${fileType === null ? '' : `, "Content-Type": "${fileType}"`}},`,
    ...(body === undefined ? [] : [`    json=${pythonText(body)},`]),
    ...(fileType === null ? [] : ['    data=open("file", "rb"),']),
    ')',
    'reply.raise_for_status()',
  ];
  return `import os, requests\n\n${lines.join('\n')}`;
}

function pythonText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, it]) => `${JSON.stringify(name)}: ${pythonText(it)}`)
    .join(', ')}}`;
}

/** PHP with its own cURL functions. */
export function phpSample(request: SampleRequest): string {
  const { method, body, fileType } = request;
  const type = fileType ?? (body === undefined ? null : 'application/json');
  const text =
    body === undefined ? null : JSON.stringify(body).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = [
    `$request = curl_init(getenv('BASE') . '${address(request)}');`,
    'curl_setopt_array($request, [',
    `  CURLOPT_CUSTOMREQUEST => '${method}',`,
    '  CURLOPT_RETURNTRANSFER => true,',
    `  CURLOPT_HTTPHEADER => ['X-Consumer-Key: ' . getenv('CONSUMER_KEY'), 'X-Client-Key: ' . getenv('CLIENT_KEY')` +
      `${type === null ? '' : `, 'Content-Type: ${type}'`}],`,
    ...(text === null ? [] : [`  CURLOPT_POSTFIELDS => '${text}',`]),
    ...(fileType === null ? [] : [`  CURLOPT_POSTFIELDS => file_get_contents('file'),`]),
    ']);',
    '$reply = json_decode(curl_exec($request), true);',
  ];
  return lines.join('\n');
}

/** The operations of a document with their method and path, in its order. */
export function operationsOf<Document extends SampledDocument>(
  document: Document,
): readonly { readonly method: string; readonly path: string; readonly operation: SampledOperation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => typeof operation === 'object' && 'operationId' in (operation as object))
      .map(([method, operation]) => ({ method, path, operation: operation as SampledOperation })),
  );
}

/** The document with `x-codeSamples` for each operation: curl, TypeScript, Python and PHP. */
export function withCodeSamples<Document extends object>(given: Document): Document {
  const document = structuredClone(given);
  const sampled = document as unknown as SampledDocument;
  for (const { method, path, operation } of operationsOf(sampled)) {
    const request = sampleRequest(sampled, { method, path }, operation, { minimal: false });
    Object.assign(operation, {
      'x-codeSamples': [
        { lang: 'shell', label: 'curl', source: curlSample(request) },
        { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) },
        { lang: 'python', label: 'Python', source: pythonSample(request) },
        { lang: 'php', label: 'PHP', source: phpSample(request) },
      ],
    });
  }
  return document;
}
