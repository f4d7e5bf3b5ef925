type Json = Record<string, unknown>;

/** Properties of every kind of record. What others mean stands at the property. */
const commonWords: Readonly<Record<string, string>> = {
  id: 'Id of this record',
  data: 'What was asked for',
  meta: 'What stands beside the data',
  createdAt: 'When it was made',
  updatedAt: 'When it last changed',
  deletedAt: 'When it was deleted; null: it was not',
  archivedAt: 'When it was archived; null: it was not',
  organizationId: 'Id of the organization',
  name: 'Name, for people',
  description: 'Description, for people',
};

/** Gives every property and parameter that means the same in all records its words, where its schema does not say more. */
export function describeCommonProperties(schemas: Json, paths: Readonly<Record<string, Json>>): void {
  const describe = (part: unknown, name: string): void => {
    const words = commonWords[name];
    if (isJson(part) && part.description === undefined && words !== undefined) part.description = words;
  };
  const visit = (schema: unknown): void => {
    if (Array.isArray(schema)) schema.forEach(visit);
    if (!isJson(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isJson(value)) {
        for (const [name, property] of Object.entries(value)) {
          describe(property, name);
          visit(property);
        }
      } else if (keyword === 'parameters') {
        for (const parameter of value as Json[]) describe(parameter, String(parameter.name));
      } else if (keyword !== 'example' && keyword !== 'examples') visit(value);
    }
  };
  visit(schemas);
  visit(paths);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
