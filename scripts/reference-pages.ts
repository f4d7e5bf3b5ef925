import { curlSample, type SampledOperation, sampleRequest } from '../src/platform/http/code-samples.ts';

/** The parts of the OpenAPI document that the pages show. */
export interface InterfaceDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, OperationReply>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

type PathItem = { readonly servers?: readonly { readonly url: string }[] } & {
  readonly [Name in Method]?: Operation;
};

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<Record<string, OperationReply>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface OperationReply {
  /** A reply that several operations share. */
  readonly $ref?: string;
  readonly description: string;
  readonly content?: JsonContent;
}

interface JsonContent {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly example?: unknown;
  };
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The names of the pages of a document, and the introduction of its overview. */
interface PageSet {
  readonly overviewFile: string;
  readonly overviewTitle: string;
  readonly introduction: string;
  /** Prefix of the files of tags. */
  readonly filePrefix: string;
  /** Whether each operation begins with its smallest request. */
  readonly showsRequests: boolean;
}

const alsoRead = 'All error codes: [contract/errors.md](../../contract/errors.md).';

const keyPages: PageSet = {
  overviewFile: 'README.md',
  overviewTitle: 'Reference',
  introduction:
    'Every operation needs the headers `X-Consumer-Key` and `X-Client-Key`. The same as OpenAPI: ' +
    `[contract/v1.json](../../contract/v1.json). ${alsoRead} ` +
    "The interface for the organization's staff: [staff.md](staff.md).",
  filePrefix: '',
  showsRequests: true,
};

export const staffPages: PageSet = {
  overviewFile: 'staff.md',
  overviewTitle: 'Reference for staff',
  introduction:
    'Every operation needs a session: the cookie that signing in sets, or its token as `Authorization: Bearer`. The ' +
    `same as OpenAPI: [contract/staff.json](../../contract/staff.json). ${alsoRead}`,
  filePrefix: 'staff-',
  showsRequests: false,
};

/** A longer page of a tag, in characters, has a page of its own for each operation. */
const pageLengthMax = 100_000;

/** One page per tag, and an overview of all operations: file names with their texts. */
export function referencePages(document: InterfaceDocument, set: PageSet = keyPages): [string, string][] {
  const fileOf = (tag: string): string => `${set.filePrefix}${tag.toLowerCase()}.md`;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      const server = (item.servers ?? document.servers)[0]!.url;
      if (!operation) return [];
      const request = set.showsRequests ? minimalRequest(document, method, path, operation) : null;
      return [{ ...operation, heading: `${method.toUpperCase()} ${path}`, server, request }];
    }),
  );
  const ownPages = new Map<string, string>();
  const pages = document.tags.flatMap(({ name, description }): [string, string][] => {
    const own = operations.filter(({ tags }) => tags.includes(name));
    const whole = page(name, `${description}.`, ...own.map((it) => chapter(it, document)));
    if (whole.length <= pageLengthMax) return [[fileOf(name), whole]];
    const parts = own.map((it): [string, string] => {
      const file = fileOf(name).replace(/\.md$/, `-${kebab(it.operationId)}.md`);
      ownPages.set(it.operationId, file);
      const back = `[${name}](${fileOf(name)})`;
      return [file, page(it.summary, back, chapter(it, document).replace(/^## .*\n\n/, ''))];
    });
    const rows = own.map((it) => [
      `[${it.summary}](${ownPages.get(it.operationId)})`,
      `\`${it.heading}\``,
      it.description.split('\n')[0]!.split('. ')[0]!,
    ]);
    return [[fileOf(name), page(name, `${description}.`, table(['Operation', '', ''], rows))], ...parts];
  });
  const overview = table(
    ['Operation', '', 'Page'],
    operations.map(({ heading, summary, tags, operationId }) => [
      `\`${heading}\``,
      summary,
      `[${tags[0]}](${ownPages.get(operationId) ?? `${fileOf(tags[0]!)}#${anchorOf(summary)}`})`,
    ]),
  );
  return [[set.overviewFile, page(set.overviewTitle, set.introduction, overview)], ...pages];
}

/** The smallest request, as a command. */
function minimalRequest(
  document: InterfaceDocument,
  method: string,
  path: string,
  operation: Operation,
): string {
  const request = sampleRequest(document, { method, path }, operation as unknown as SampledOperation, {
    minimal: true,
  });
  return `\`\`\`bash\n${curlSample(request)}\n\`\`\``;
}

/** `placeOrder` → `place-order`. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function page(title: string, ...parts: readonly string[]): string {
  return `${['<!-- Generated by npm run generate. -->', `# ${title}`, ...parts].join('\n\n')}\n`;
}

/** The anchor of a heading, as web front ends of Git make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function chapter(
  operation: Operation & { heading: string; server: string; request: string | null },
  document: InterfaceDocument,
): string {
  const { summary, heading, server, description, parameters = [], requestBody, responses } = operation;
  const json = requestBody?.content['application/json'];
  // Without a schema it is bytes whose sender signs them.
  const body = json?.schema === undefined ? undefined : json;
  const [status, shown] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
  const success = replyOf(shown, document);
  const reply = success.content?.['application/json'];
  const parts = [
    `## ${summary}`,
    `\`${heading}\`, by default at ${server}`,
    ...(operation.request === null ? [] : [operation.request]),
    description,
  ];
  if (parameters.length > 0) {
    const named = parameters.map((it) =>
      '$ref' in it ? document.components.parameters![it.$ref.split('/').at(-1)!]! : it,
    );
    const rows = named.map((it) => [
      `\`${it.name}\``,
      it.in,
      typeWords(it.schema, document),
      it.required ? 'yes' : '',
      it.description ?? '',
    ]);
    parts.push('### Parameters', table(['Name', 'In', 'Type', 'Required', ''], rows));
  }
  if (body) {
    const rows = fieldsOf(body.schema, document).map((it) => [
      `\`${it.path}\``,
      it.type,
      it.required ? 'yes' : '',
      it.description,
    ]);
    parts.push('### Body', table(['Field', 'Type', 'Required', ''], rows), ...example(body.example));
  }
  if (requestBody && !body) {
    const types = Object.keys(requestBody.content).map((type) => `\`${type}\``);
    parts.push('### Body', `A file: ${types.join(', ')}.`);
  }
  parts.push(`### Reply: ${status}`);
  if (reply) {
    const rows = fieldsOf(reply.schema, document).map((it) => [`\`${it.path}\``, it.type, it.description]);
    parts.push(table(['Field', 'Type', ''], rows), ...example(reply.example));
  }
  const fileTypes = Object.keys(success.content ?? {}).filter((type) => type !== 'application/json');
  if (fileTypes.length > 0) parts.push(`A file: ${fileTypes.map((type) => `\`${type}\``).join(', ')}.`);
  parts.push('### Errors', errorTable(responses, document));
  return parts.join('\n\n');
}

function example(value: unknown): string[] {
  return value === undefined ? [] : [`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``];
}

function errorTable(responses: Operation['responses'], document: InterfaceDocument): string {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, reply]) => {
      const { content } = replyOf(reply, document);
      return codesOf(content?.['application/json'].schema, document).map((code) => [
        status,
        `[${code}](../../contract/errors.md#${anchorOf(code)})`,
      ]);
    });
  return table(['Status', 'Code'], rows);
}

/** The codes of a refusal. */
function codesOf(schema: Schema | undefined, document: InterfaceDocument): string[] {
  if (schema === undefined) return [];
  const error = objectIn(schema, document)?.properties?.error;
  if (error === undefined) return [];
  return (error.oneOf ?? [error]).flatMap((one) => {
    const { enum: codes = [] } = objectIn(one, document)?.properties?.code ?? {};
    return codes.map(String);
  });
}

/** Resolves a reply that operations share. */
function replyOf(reply: OperationReply, { components }: InterfaceDocument): OperationReply {
  return components.responses?.[reply.$ref?.split('/').at(-1) ?? ''] ?? reply;
}

interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** All fields of an object, including those of nested objects: `lineItems[].quantity`. */
function fieldsOf(schema: Schema, document: InterfaceDocument, prefix = ''): Field[] {
  const { properties = {}, required = [] } = objectIn(schema, document) ?? {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const { schema: plain } = resolved(property, document);
    const path = `${prefix}${name}`;
    const field = {
      path,
      type: typeWords(property, document),
      required: required.includes(name),
      description: property.description ?? plain.description ?? '',
    };
    return [field, ...fieldsOf(property, document, `${path}${plain.items ? '[]' : ''}.`)];
  });
}

/** The object of a schema, or of its items, or of one of several forms. */
function objectIn(schema: Schema, document: InterfaceDocument): Schema | undefined {
  const forms = formsOf(schema);
  if (forms.length > 1)
    return forms.map((form) => objectIn(form, document)).find((form) => form !== undefined);
  const { schema: plain } = resolved(schema, document);
  if (plain.items) return objectIn(plain.items, document);
  return plain.properties && plain;
}

/** Resolves a reference and removes "or null". */
function resolved(schema: Schema, document: InterfaceDocument): { schema: Schema; nullable: boolean } {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!, document);
  if (schema.anyOf?.some(isNull)) {
    return { schema: resolved(schema.anyOf[0]!, document).schema, nullable: true };
  }
  return { schema, nullable: Array.isArray(schema.type) && schema.type.includes('null') };
}

/** The forms that a value may have, without null. */
function formsOf({ anyOf = [] }: Schema): readonly Schema[] {
  return anyOf.filter((form) => !isNull(form));
}

function isNull({ type }: Schema): boolean {
  return type === 'null';
}

function typeWords(given: Schema, document: InterfaceDocument): string {
  const forms = formsOf(given);
  if (forms.length > 1) return forms.map((form) => typeWords(form, document)).join(', or ');
  const { schema, nullable } = resolved(given, document);
  const type = [schema.type ?? []].flat()[0] ?? 'object';
  return (nullable ? `${words(schema, type, document)}, or null` : words(schema, type, document)) || type;
}

function words(schema: Schema, type: string, document: InterfaceDocument): string {
  if (schema.enum) {
    return schema.enum.flatMap((value) => (value === null ? [] : [`\`${value}\``])).join(', ');
  }
  if (schema.items) return `array of ${typeWords(schema.items, document)}${upTo(schema.maxItems, 'items')}`;
  if (type === 'string') return schema.format ?? `string${upTo(schema.maxLength, 'characters')}`;
  const { minimum, maximum } = schema;
  const isBounded = minimum !== undefined && maximum !== undefined && maximum <= boundMax && minimum >= 0;
  return isBounded ? `${type}, ${digits(minimum)} to ${digits(maximum)}` : type;
}

/** Higher bounds only protect the service and are left out. */
const boundMax = 10_000;

function upTo(max: number | undefined, unit: string): string {
  return max === undefined || max >= boundMax ? '' : `, up to ${digits(max)} ${unit}`;
}

function digits(value: number): string {
  return value.toLocaleString('en-US');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
