import { assert } from '../../src/kernel/assert.ts';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import type { TestReply, TestService } from '../harness/test-service.ts';
import { pathOf, propertyNames } from './contract-world.ts';
import { notFiltering, type Query } from './filter-meaning.ts';
import type { FilterWorld } from './filter-world.ts';
import { meaningOfList } from './list-meaning.ts';
import type { Row } from './search-meaning.ts';

/** A list with pages, filters or sorts, as it is declared. */
export interface DeclaredList {
  readonly id: string;
  readonly endpoint: AnyEndpoint;
  /** Whether it has pages, and of how many rows. */
  readonly isPaged: boolean;
  readonly pageSize: number;
  readonly filters: readonly DeclaredFilter[];
}

export interface DeclaredFilter {
  readonly name: string;
  /** The values that the schema names, if it does. */
  readonly named: readonly (string | boolean)[] | undefined;
}

interface ListSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ListSchema>>;
}

/** The operations that answer a list which can be paged, filtered or sorted. */
export function listsAmong(endpoints: readonly AnyEndpoint[]): DeclaredList[] {
  return endpoints.flatMap((endpoint) => {
    const { id, method, success } = endpoint;
    const data = success.data as ListSchema | undefined;
    const parameters = Object.entries((endpoint.query as ListSchema | undefined)?.properties ?? {});
    const isPaged = parameters.some(([name]) => isCursor(name));
    const filters = parameters.filter(
      ([name]) => !isCursor(name) && !Object.hasOwn(notFiltering, `${id}.${name}`),
    );
    const isNarrowed = data?.type === 'array' && filters.length > 0;
    if (method !== 'GET' || !(isPaged || isNarrowed)) return [];
    return {
      id,
      endpoint,
      isPaged,
      pageSize: data?.maxItems ?? 0,
      filters: filters.map(([name, schema]) => ({ name, named: namedValues(schema) })),
    };
  });
}

function isCursor(name: string): boolean {
  return name.startsWith('startingAfter');
}

function namedValues(schema: ListSchema): DeclaredFilter['named'] {
  return schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
}

/** The list's own address, with what its path names. */
function askedPath({ endpoint }: DeclaredList, { ids }: FilterWorld): string {
  for (const name of propertyNames(endpoint.params)) {
    assert(ids[name] !== undefined, `filter-world.ts: ids must say what ${name} of ${endpoint.id} names`);
  }
  return pathOf(endpoint, ids);
}

/** One page. */
export async function ask(
  service: TestService,
  world: FilterWorld,
  list: DeclaredList,
  query: Query,
): Promise<TestReply> {
  const path = askedPath(list, world);
  const isStaffs = path.startsWith('/staff/');
  const reply = await (isStaffs
    ? world.owner.call('GET', path, undefined, { query })
    : service.call('GET', path, { keys: world.keys, query }));
  const identity = meaningOfList(list.endpoint)?.identity;
  if (identity === undefined || reply.error !== undefined) return reply;
  return { ...reply, data: reply.data.map((row: Row) => ({ ...row, id: identity(row) })) };
}

/** Whether another page can follow a full one. */
type Until = 'a page that is not full' | 'an empty page';

/** All pages, one after the other. */
export async function readToEnd(
  service: TestService,
  world: FilterWorld,
  list: DeclaredList,
  { query, cursor, until }: { query: Query; cursor: (row: Row) => Query; until: Until },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const asked = rows.length === 0 ? query : { ...query, ...cursor(rows.at(-1)) };
    const reply = await ask(service, world, list, asked);
    assert(reply.status === 200, () => `${list.id} refuses ${JSON.stringify(asked)}: ${reply.text}`);
    rows.push(...reply.data);
    const isLast = reply.data.length < (until === 'an empty page' ? 1 : list.pageSize);
    if (isLast || !list.isPaged) return rows;
    assert(rows.length < 100_000, `${list.id} ends`);
  }
}
