/** The shape of the facts of a refusal. */
interface MetaShape {
  /** For people. */
  readonly text: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** JSON Schema, for programs. */
  readonly schema: {
    readonly type: 'object';
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
  };
}

/** A shape in which every property is required, except those of `optional`. */
export function metaShape(
  text: string,
  example: MetaShape['example'],
  properties: MetaShape['schema']['properties'],
  optional: readonly string[] = [],
): MetaShape {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { text, example, schema: { type: 'object', required, properties } };
}

/** What the catalog says of one code. */
export interface CatalogEntry {
  readonly status: number;
  /** The condition. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** The shape of `meta`; a code without it has no `meta`. */
  readonly meta?: MetaShape;
  /** The text for staff operations, where it concerns a session instead of keys. */
  readonly forStaff?: { readonly when: string; readonly remedy: string };
}
