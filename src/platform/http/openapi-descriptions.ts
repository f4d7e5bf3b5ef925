type Json = Record<string, unknown>;

/**
 * Gives every property and parameter without a description the one of `words`, by the longest key that fits: its path in a
 * named schema or in an operation (`CartPricing.discounts.amount`), or the end of it (`discounts.amount`, `amount`).
 */
export function describeProperties(
  words: Readonly<Record<string, string>>,
  schemas: Json,
  paths: Readonly<Record<string, Json>>,
): void {
  const describe = (part: unknown, path: readonly string[]): void => {
    const description = wordsOf(words, path);
    if (isJson(part) && part.description === undefined && description !== undefined) {
      part.description = description;
    }
  };
  const visit = (schema: unknown, path: readonly string[]): void => {
    if (Array.isArray(schema)) {
      for (const part of schema) visit(part, path);
    }
    if (!isJson(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isJson(value)) {
        for (const [name, property] of Object.entries(value)) {
          describe(property, [...path, name]);
          visit(property, [...path, name]);
        }
      } else if (keyword !== 'example' && keyword !== 'examples') visit(value, path);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, [name]);
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      if (!isJson(operation) || typeof operation.operationId !== 'string') continue;
      const path = [operation.operationId];
      for (const parameter of (operation.parameters ?? []) as Json[]) {
        if (parameter.$ref === undefined) describe(parameter, [...path, String(parameter.name)]);
      }
      visit(operation.requestBody, path);
      visit(operation.responses, path);
    }
  }
}

function wordsOf(words: Readonly<Record<string, string>>, path: readonly string[]): string | undefined {
  for (let start = 0; start < path.length; start += 1) {
    const found = words[path.slice(start).join('.')];
    if (found !== undefined) return found;
  }
  return undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
