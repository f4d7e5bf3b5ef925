/** A member of a JSON object; undefined: there is none, or the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A text of a JSON object; null: there is none. */
export function textMember(value: unknown, name: string): string | null {
  const text = memberOf(value, name);
  return typeof text === 'string' && text !== '' ? text : null;
}
