import { decimal } from '../../kernel/decimal.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** An object as it is sent, with the member names of the state's system. */
export type JsonRow = { readonly [member: string]: Json };

/** A row whose members, named in a text separated by blanks, all have this value. */
export function membersOf(names: string, value: Json): JsonRow {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, value]),
  );
}

/** Exact sum of two JSON numbers. */
export const plus = (a: number, b: number): number => decimal(a).plus(b).toNumber();

/** Exact difference of two JSON numbers. */
export const minus = (a: number, b: number): number => decimal(a).minus(b).toNumber();

/** Exact sum of JSON numbers. */
export const sumOf = (numbers: readonly number[]): number => numbers.reduce(plus, 0);

/** Rounds half away from zero. */
export const rounded = (value: number, decimals: number): number =>
  decimal(value).round(decimals, 1).toNumber();
