import type { RequestSchema } from './expectation-words.ts';

/** Replaces values of a body, in place, by their meaning. */
type BodyNormalizer = (body: unknown) => void;

/** The meaning of a text; null, or undefined for a missing value. */
type Meaning = (sent: string | null) => string | null | undefined;

interface Place {
  readonly name: string;
  readonly meaning: Meaning | undefined;
  readonly inner: BodyNormalizer | undefined;
}

/**
 * Makes the normalization of a body's schema (D3a), once for all requests; undefined if it has no effect. It runs
 * before validation:
 *
 * - null for an optional field is removed, unless null is a value of the field (it clears the field);
 * - `""` is null for a nullable field. Otherwise an optional text or date is removed. In an update such a text stays: a
 * text that may be empty becomes empty, every other one is refused. `""` also stays for one of fixed values, a
 * number, a UUID or a required field;
 * - the purpose of a field (`x-reads`) decides which spellings of its text are equal.
 *
 * Values of another type are left to the validation.
 */
export function bodyNormalizer(schema: RequestSchema, isUpdate: boolean): BodyNormalizer | undefined {
  if (schema.properties) return objectReader(schema, isUpdate);
  if (schema.items) return listReader(schema, schema.items, isUpdate);
  return undefined;
}

function objectReader(
  { properties = {}, required = [] }: RequestSchema,
  isUpdate: boolean,
): BodyNormalizer | undefined {
  const places = Object.entries(properties).flatMap(([name, property]): Place[] => {
    const meaning = meaningOf(property, !required.includes(name), isUpdate);
    const inner = bodyNormalizer(property, isUpdate);
    return meaning || inner ? [{ name, meaning, inner }] : [];
  });
  if (places.length === 0) return undefined;
  return (sent) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
    const body = sent as Record<string, unknown>;
    for (const { name, meaning, inner } of places) {
      const value = body[name];
      if (value === undefined) continue;
      if (typeof value === 'object' && value !== null) {
        inner?.(value);
      } else if (meaning && (typeof value === 'string' || value === null)) {
        const meant = meaning(value);
        if (meant === undefined) delete body[name];
        else if (meant !== value) body[name] = meant;
      }
    }
  };
}

function listReader(
  { maxItems = 0 }: RequestSchema,
  items: RequestSchema,
  isUpdate: boolean,
): BodyNormalizer | undefined {
  const inner = bodyNormalizer(items, isUpdate);
  const spelling = spellingOf(items);
  if (!inner && !spelling) return undefined;
  return (list) => {
    // Validation refuses a list beyond its limit.
    if (!Array.isArray(list) || list.length > maxItems) return;
    for (let index = 0; index < list.length; index++) {
      const item: unknown = list[index];
      if (typeof item === 'object') inner?.(item);
      else if (spelling && typeof item === 'string') list[index] = spelling(item);
    }
  };
}

function meaningOf(schema: RequestSchema, isOptional: boolean, isUpdate: boolean): Meaning | undefined {
  const types = [schema.type ?? []].flat();
  // Validation refuses a field that must be absent.
  if (types.length === 0) return undefined;
  const isNullable = types.includes('null');
  const spelling = spellingOf(schema);
  const ofNull = isOptional && !isNullable ? undefined : null;
  const ofEmpty = types.includes('string')
    ? meaningOfEmpty(schema, { isOptional, isNullable, isUpdate })
    : '';
  if (ofNull === null && ofEmpty === '' && !spelling) return undefined;
  return (sent) => {
    if (sent === null) return ofNull;
    if (sent === '') return ofEmpty;
    return spelling ? spelling(sent) : sent;
  };
}

function meaningOfEmpty(
  { enum: values, 'x-reads': reads, format }: RequestSchema,
  { isOptional, isNullable, isUpdate }: { isOptional: boolean; isNullable: boolean; isUpdate: boolean },
): '' | null | undefined {
  if (isNullable) return null;
  if (!isOptional || values || reads || format === 'uuid') return '';
  return isUpdate && format === undefined ? '' : undefined;
}

/** Equal spellings of a text, by its purpose. */
const spellings = {
  /** `.5` is `0.5`. */
  decimal: (text: string) => (/^-?\.[0-9]/.test(text) ? text.replace('.', '0.') : text),
  /** Spaces in an address are percent-encoded, as in browsers. */
  address: (text: string) => (text.includes(' ') ? text.trim().replaceAll(' ', '%20') : text),
  /** MIME writes Base64 in lines (RFC 2045). */
  base64: (text: string) => (/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text),
  'media-type': canonicalMediaType,
} as const satisfies Readonly<Record<string, (text: string) => string>>;

function spellingOf({ 'x-reads': reads }: RequestSchema): ((text: string) => string) | undefined {
  return reads === undefined ? undefined : spellings[reads as Reads];
}

/** The purpose of a text schema. */
export type Reads = keyof typeof spellings;

/** `image/jpg` is not registered, but many clients send it for image/jpeg. */
export function canonicalMediaType(text: string): string {
  return text.trim().toLowerCase() === 'image/jpg' ? 'image/jpeg' : text;
}
