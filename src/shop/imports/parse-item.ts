import { Failure } from '../../kernel/failure.ts';
import type { RowProblem } from './column-mapping.ts';
import { type ImportItem, placeOf, problemsOf } from './import-items.ts';
import type { ImportKind } from './import-kind.ts';
import type { KeyTable } from './key-table.ts';

/** Validates an item by the rules of its slice; a duplicate within the file is refused. */
export function parseItem<Row>(
  kind: ImportKind<Row>,
  item: ImportItem,
  lineOfKey: KeyTable,
): { readonly row: Row } | { readonly problems: readonly RowProblem[] } {
  if (item.problems.length > 0) return { problems: item.problems };
  let row: Row;
  try {
    row = kind.read(item.body);
  } catch (problem) {
    if (problem instanceof Failure) return { problems: problemsOf(item, problem, kind.fields) };
    throw problem;
  }
  const keys = kind.keysOf(row);
  const twin = keys.find((key) => lineOfKey.has(key));
  if (twin === undefined) {
    for (const key of keys) lineOfKey.set(key, item.line);
    return { row };
  }
  const [word] = /^(upc|email|phone) /.exec(twin) ?? [];
  const first = lineOfKey.get(twin);
  if (word === undefined) {
    return { problems: [{ line: item.line, column: null, message: `is the same as line ${first}` }] };
  }
  const { line, column } = placeOf(item, word === 'upc ' ? 'options[0].upc' : word.trim(), kind.fields);
  return { problems: [{ line, column, message: `must not be that of line ${first}` }] };
}
