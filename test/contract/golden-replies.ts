import { join } from 'node:path';
import { expect } from 'vitest';

/*
 * The fields of the replies and of the audit entries of every operation, as files in test/golden: a field that is gone, is new
 * or has another kind of value changes one. `npx vitest run <test> -u` writes them again; without it, only a new operation gets a file.
 */

type Folder = 'replies' | 'demo-replies' | 'audit';

/** Expects the bodies of an operation to have the fields of its file. */
export async function expectGolden(folder: Folder, operation: string, bodies: readonly unknown[]) {
  const file = join(import.meta.dirname, '../golden', folder, `${operation}.txt`);
  await expect(`${shapeOf(bodies, 2)}\n`).toMatchFileSnapshot(file);
}

/** The same of the audit entries that it leaves, by their actions. */
export function expectGoldenAudit(operation: string, entries: readonly AuditEntry[]) {
  const detailsOf = (of: string) =>
    entries.filter(({ action }) => action === of).map(({ details }) => details);
  const byAction = entries.map(({ action }) => [action, detailsOf(action)]);
  return expectGolden('audit', operation, [Object.fromEntries(byAction)]);
}

interface AuditEntry {
  readonly action: string;
  readonly details: object;
}

/** What each kind of audit entry, event or problem tells is its own. */
const openNames = new Set(['details', 'facts', 'meta']);

/** The fields of some values, merged. What has a value somewhere is not null; `?`: some lack the field. */
function shapeOf(values: readonly unknown[], linesOfLevels: number): string {
  const lists = values.filter(Array.isArray);
  const objects = values.filter(
    (it): it is object => typeof it === 'object' && it !== null && !Array.isArray(it),
  );
  const shapes = new Set(values.filter((it) => it !== null && typeof it !== 'object').map(kindOf));
  if (lists.length > 0)
    shapes.add(lists.every((it) => it.length === 0) ? '[]' : `[${shapeOf(lists.flat(), linesOfLevels)}]`);
  if (objects.length > 0) shapes.add(fieldsOf(objects, linesOfLevels));
  return [...shapes].sort().join(' or ') || 'null';
}

function fieldsOf(objects: readonly object[], linesOfLevels: number): string {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of objects.flatMap((it) => Object.entries<unknown>(it as never))) {
    if (values.has(name)) values.get(name)!.push(value);
    else values.set(name, [value]);
  }
  const isOpen = (name: string, inside: readonly unknown[]) =>
    linesOfLevels < 2 && openNames.has(name) && inside.some((it) => typeof it === 'object');
  const fields = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inside]) => {
      const shape = isOpen(name, inside) ? 'any' : shapeOf(inside, linesOfLevels - 1);
      return `${name}${inside.length < objects.length ? '?' : ''}: ${shape}`;
    });
  if (linesOfLevels < 1) return `{ ${fields.join(', ')} }`;
  const lines = linesOfLevels > 1 ? fields : filled(fields);
  return `{\n${lines.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

/** As many on a line as fit. */
function filled(fields: readonly string[]): string[] {
  const lines: string[] = [];
  for (const field of fields) {
    const line = lines.at(-1);
    if (line === undefined || line.length + field.length > 120) lines.push(field);
    else lines[lines.length - 1] = `${line}, ${field}`;
  }
  return lines;
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(\d{3})?Z$/;

function kindOf(value: unknown): string {
  if (value === undefined) return 'no body';
  if (typeof value !== 'string') return typeof value;
  return time.test(value) ? 'time' : /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
}
