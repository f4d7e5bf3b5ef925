/*
 * The kinds of facts that events carry: ids and states, never personal data. Each is a JSON Schema for programs, an example for
 * people, and a type for the compiler.
 */

/** One fact. `type` exists for the compiler only. */
export interface Fact<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: unknown;
  readonly type?: T;
}

/** A fact that an event may lack. */
export interface OptionalFact<T> extends Fact<T> {
  readonly isOptional: true;
}

export type Facts = Readonly<Record<string, Fact<unknown>>>;

/** The facts of an event, as a write states them. */
export type FactsOf<Shape extends Facts> = {
  readonly [Name in keyof Shape as Shape[Name] extends OptionalFact<unknown>
    ? never
    : Name]: Shape[Name] extends Fact<infer T> ? T : never;
} & {
  readonly [Name in keyof Shape as Shape[Name] extends OptionalFact<unknown>
    ? Name
    : never]?: Shape[Name] extends Fact<infer T> ? T : never;
};

const fact = <T>(schema: Fact<T>['schema'], example: unknown): Fact<T> => ({ schema, example });

/** The number of a record. */
export const id = (example = 42): Fact<number> => fact({ type: 'integer' }, example);
export const ids: Fact<readonly number[]> = fact({ type: 'array', items: { type: 'integer' } }, [42, 43]);
/** The id of an order. */
export const uuid: Fact<string> = fact(
  { type: 'string', format: 'uuid' },
  '0197f3a2-6b1c-7d3e-9a4f-5b6c7d8e9f01',
);
/** How many. */
export const count: Fact<number> = fact({ type: 'integer' }, 3);
/** An amount of money in integer cents. */
export const cents: Fact<number> = fact({ type: 'integer' }, 125000);
/** A weight, a volume, a number of pieces or points: exact decimal text. */
export const decimal = (example = '3.5'): Fact<string> => fact({ type: 'string' }, example);
/** ISO 8601 in UTC. */
export const moment: Fact<string> = fact({ type: 'string', format: 'date-time' }, '2026-12-01T17:00:00.000Z');
export const flag: Fact<boolean> = fact({ type: 'boolean' }, true);
export const text = (example: string): Fact<string> => fact({ type: 'string' }, example);
/** One of a few states. The list may grow. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(
  ...words: Words
): Fact<Words[number]> => fact({ type: 'string', enum: words }, words[0]);
export const listOf = <T>({ schema, example }: Fact<T>): Fact<readonly T[]> =>
  fact({ type: 'array', items: schema }, [example]);
export const nullable = <T>({ schema, example }: Fact<T>): Fact<T | null> =>
  fact({ anyOf: [schema, { type: 'null' }] }, example);
export const optional = <T>(of: Fact<T>): OptionalFact<T> => ({ ...of, isOptional: true });

/** What the catalog says of one event. */
export interface EventEntry<Shape extends Facts> {
  /** What has happened, for people. */
  readonly when: string;
  /** Ids and states for readers of the event; never personal data. */
  readonly facts: Shape;
}

/** An entry of the catalog. */
export const event = <Shape extends Facts>(when: string, facts: Shape): EventEntry<Shape> => ({
  when,
  facts,
});
