import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { describedReplies } from './description-nulls.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const contract = JSON.parse(readFileSync(join(projectFolder(), 'contract/v1.json'), 'utf8'));
const page = readFileSync(join(projectFolder(), 'docs/DESCRIPTION.md'), 'utf8');

const canBeNull = ({ type, anyOf }: Schema) =>
  [type].flat().includes('null') || (anyOf ?? []).some((it) => it.type === 'null');

function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(contract.components.schemas[schema.$ref.split('/').at(-1)!]);
  const form = schema.anyOf?.find(({ type }) => type !== 'null');
  return form ? resolved(form) : schema;
}

/** The fields of a reply that can be null, with lists as their items: `lineItems.productBrand`. */
function nullFields(schema: Schema, at: readonly string[] = []): string[] {
  const { items, properties = {} } = resolved(schema);
  if (items) return nullFields(items, at);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...at, name];
    return [...(canBeNull(property) ? [path.join('.')] : []), ...nullFields(property, path)];
  });
}

function dataOf(path: string, method: string): Schema {
  const { responses } = contract.paths[path][method];
  const [, reply] = Object.entries<{ $ref?: string }>(responses).find(([status]) => status.startsWith('2'))!;
  const shared = reply.$ref ? contract.components.responses[reply.$ref.split('/').at(-1)!] : reply;
  return shared.content['application/json'].schema.properties.data;
}

describe('a value that can be null is said to be so by the description, added, or on the page of readings', () => {
  test.each(describedReplies.map((reply) => [reply.operation.join(' '), reply] as const))(
    '%s',
    (_, reply) => {
      const { operation, described, added, readings } = reply;
      const isAdded = (field: string) => added.some((it) => field === it || field.startsWith(`${it}.`));
      const left = nullFields(dataOf(...operation)).filter(
        (field) => !described.includes(field) && !isAdded(field),
      );
      expect(left.sort()).toEqual([...readings].sort());
    },
  );

  test('the page names each of them with its operation, and no other', () => {
    const rows = page.match(/^\| `(?:GET|POST) \/[^|]+\|[^|]+\|[^|]+\|$/gm) ?? [];
    const told = rows.flatMap((row) => {
      const [, operation = '', fields = ''] = row.split('|');
      const names = fields.match(/`[^`]+`/g) ?? [];
      return names.map((name) => `${operation.trim()} ${name}`.replaceAll('`', ''));
    });
    const readings = describedReplies.flatMap(({ operation: [path, method], readings }) =>
      readings.map((field) => `${method.toUpperCase()} ${path} ${field}`),
    );
    expect(told.sort()).toEqual(readings.sort());
  });
});
