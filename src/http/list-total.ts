import Type, { type TObject, type TSchema } from 'typebox';
import { Flag, Named, WholeNumber } from './schemas.ts';

/** The largest number of rows that a list with pages counts: counting a million takes longer than the page. */
export const countedMax = 1_000;

/** How many rows a list has, beside its data. */
export const ListTotal = Named(
  'ListTotal',
  Type.Object({
    total: WholeNumber({
      min: 0,
      max: 100_000,
      description: `Rows of the whole list, with its filters; lists with pages count up to ${countedMax}`,
    }),
    more: Flag({ description: 'Whether there are more rows than `total` says' }),
  }),
);

export const listTotalExample = { total: 1, more: false } as const;

/** Of a list with pages, whose rows were counted to one more than `countedMax` at most. */
export function totalOf(count: number): { readonly total: number; readonly more: boolean } {
  return { total: Math.min(count, countedMax), more: count > countedMax };
}

/** SQL that counts the rows of a query which ends after `countedMax` and one more. */
export function countOfRows(rows: string): string {
  return `select count(*)::integer as count from (${rows} limit ${countedMax + 1}) counted`;
}

interface WholeList {
  readonly query?: TObject | undefined;
  readonly success: {
    readonly data?: TSchema | undefined;
    readonly meta?: TSchema | undefined;
    readonly example?: unknown;
    readonly metaExample?: unknown;
  };
}

/** Whether an operation answers a list, and if so, whether all of it at once. */
export function isWholeList({ query, success: { data } }: WholeList): boolean {
  const isArray = (data as { readonly type?: string } | undefined)?.type === 'array';
  return isArray && !Object.keys(query?.properties ?? {}).some((name) => name.startsWith('startingAfter'));
}

/** The meta of a list that answers all its rows: what it declares, and their number. */
export function metaWithTotal({ success: { meta, example, metaExample } }: WholeList): {
  readonly meta: TSchema;
  readonly metaExample: object;
} {
  const total = { total: Array.isArray(example) ? example.length : 0, more: false };
  if (meta === undefined) return { meta: ListTotal, metaExample: total };
  const declared = meta as TObject;
  return {
    meta: Type.Object({ ...declared.properties, ...ListTotal.properties }),
    metaExample: { ...(metaExample as object), ...total },
  };
}
