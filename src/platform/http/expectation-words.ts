/** The keywords that a request schema may use, as far as the frame reads them. */
export interface RequestSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: RequestSchema;
  readonly properties?: Readonly<Record<string, RequestSchema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly 'x-reads'?: string;
  readonly 'x-expected'?: string;
  readonly 'x-error-code'?: string;
}

/** What a schema expects, in words that fit after "must be". Never repeats the sent value. */
export function expectedWords(schema: RequestSchema, keyword?: string): string {
  const types = [schema.type ?? []].flat();
  const words = typeWords(schema, types[0], keyword);
  return types.includes('null') ? `${words}, or null` : words;
}

function typeWords(schema: RequestSchema, type: string | undefined, keyword: string | undefined): string {
  if (schema['x-expected'] !== undefined) return schema['x-expected'];
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}`;
  switch (type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum, 'from ')}`;
    case 'number':
      return `a number${range(schema.minimum, schema.maximum, 'from ')}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      if (keyword === 'pattern') return 'text without NUL characters and unpaired surrogates';
      return `text${range(schema.minLength, schema.maxLength, 'of ', ' characters')}`;
    case 'array':
      return `a list${range(schema.minItems, schema.maxItems, 'of ', ' items')}`;
    case 'object':
      return 'an object';
    default:
      return 'a valid value';
  }
}

function range(min: number | undefined, max: number | undefined, before: string, unit = ''): string {
  if (min !== undefined && min === max) return ` ${before}${digits(min)}${unit}`;
  if (min !== undefined && max !== undefined) return ` ${before}${digits(min)} to ${digits(max)}${unit}`;
  if (max !== undefined) return ` of at most ${digits(max)}${unit}`;
  if (min !== undefined) return ` of at least ${digits(min)}${unit}`;
  return '';
}

function digits(value: number): string {
  return value.toLocaleString('en-US');
}

/**
 * The name in `names` that `name` was probably meant to be: it begins alike, or differs in a third of its letters at most. Undefined
 * if none is near: a guess that is far off misleads.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const written = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const known = candidate.toLowerCase();
    const isBeginning = written.length >= 3 && (known.startsWith(written) || written.startsWith(known));
    const edits = editDistance(written, known);
    if (!isBeginning && edits > Math.max(1, Math.floor(Math.max(written.length, known.length) / 3))) continue;
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
