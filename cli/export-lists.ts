import { declaredStaffOperations } from '../src/app/declared-operations.ts';
import { assert } from '../src/kernel/assert.ts';
import { isWholeList } from '../src/platform/http/list-total.ts';

/** The exported parts of the staff API and their files. */
export interface ExportedList {
  /** The name of the file, and of `--resource`: `customer-credits` of `/staff/v1/customers/{customerId}/credits`. */
  readonly resource: string;
  /** The operation that returns it, page by page. */
  readonly operation: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Requested for every entry of an earlier list, whose id is this parameter. */
  readonly of?: { readonly resource: string; readonly param: string };
}

type StaffOperation = ReturnType<typeof declaredStaffOperations>[number];

/** Read by ids: a list by last change omits records that are changing at the moment. */
export const packagesResource = 'packages';

/** Every list of staff, and what else declares `exported`: what is kept whole first, then lists with pages, then what belongs to an entry of these. */
export const exportedLists: readonly ExportedList[] = declaredStaffOperations()
  .filter(isExported)
  .map((operation) => ({
    list: exportedList(operation),
    isPaged: isList(operation) && !isWholeList(operation),
  }))
  .toSorted((a, b) => rankOf(a) - rankOf(b))
  .map(({ list }) => list);

export const exportedResources: readonly string[] = [
  ...exportedLists.map(({ resource }) => resource),
  packagesResource,
];

function isExported(operation: StaffOperation): boolean {
  const { exported } = operation;
  return exported === undefined ? isList(operation) : exported === true || 'as' in exported;
}

function isList({ method, success }: StaffOperation): boolean {
  return method === 'GET' && (success.data as { readonly type?: string } | undefined)?.type === 'array';
}

function rankOf({ list, isPaged }: { readonly list: ExportedList; readonly isPaged: boolean }): number {
  return list.of ? 2 : Number(isPaged);
}

function exportedList({ id, path, query, exported }: StaffOperation): ExportedList {
  const parts = /^\/staff\/v1\/(?:(\w+)s\/\{(\w+)\}\/)?([\w-]+)$/.exec(path);
  assert(
    parts !== null,
    () => `${id}: its path names no file: declare \`exported: { not }\` with the reason`,
  );
  const [, parent, param, name] = parts;
  const own = typeof exported === 'object' && 'as' in exported ? exported.as : undefined;
  return {
    resource: own ?? (parent === undefined ? name! : `${parent}-${name}`),
    operation: id,
    ...(query && 'ended' in query.properties && { query: { ended: true } }),
    ...(parent !== undefined && { of: { resource: `${parent}s`, param: param! } }),
  };
}
