import Type, { type TObject, type TSchema } from 'typebox';
import { countedMax } from '../../kernel/list-count.ts';
import { Flag, Named, WholeNumber } from './schemas.ts';

/** How many rows a list has, beside its data. */
export const ListTotal = Named(
  'ListTotal',
  Type.Object({
    total: WholeNumber({
      min: 0,
      max: 100_000,
      description: `Rows of the whole list with its filters; a list with pages counts ${countedMax} at most`,
    }),
    more: Flag({ description: 'Whether there are more rows than `total` says' }),
  }),
);

export const listTotalExample = { total: 1, more: false } as const;

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
