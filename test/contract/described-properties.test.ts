import { expect, test } from 'vitest';
import { allEndpoints, describeInterface } from '../../src/app/app.ts';
import type { Context } from '../../src/platform/database/context.ts';
import type { SealedFiles } from '../../src/platform/storage/sealed-files.ts';

/** Only for the declarations: no handler is called. */
const endpoints = allEndpoints({} as Context, (location) => location, {} as SealedFiles);
const document = describeInterface(endpoints) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

interface Found {
  readonly path: string;
  readonly description: unknown;
}

/** Every property and parameter of a part of the document. */
function propertiesIn(part: unknown, path: string): Found[] {
  if (Array.isArray(part)) return part.flatMap((it) => propertiesIn(it, path));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([keyword, value]) => {
    if (keyword === 'example' || keyword === 'examples') return [];
    if (keyword === 'parameters') {
      return value.flatMap(({ name, description, $ref }: Record<string, string>) =>
        $ref === undefined ? [{ path: `${path}.${name}`, description }] : [],
      );
    }
    if (keyword !== 'properties') return propertiesIn(value, path);
    return Object.entries(value as Record<string, { description?: string }>).flatMap(([name, property]) => [
      { path: `${path}.${name}`, description: property.description },
      ...propertiesIn(property, `${path}.${name}`),
    ]);
  });
}

const all = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => propertiesIn(schema, name)),
  ...Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) =>
      propertiesIn(operation, String((operation as { operationId?: string }).operationId)),
    ),
  ),
];

test('every property and parameter of the interface for integrators is described', () => {
  expect(all.filter(({ description }) => !description).map(({ path }) => path)).toEqual([]);
  expect(all.length).toBeGreaterThan(1_000);
});
