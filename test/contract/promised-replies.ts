import { promisedFields } from './promised-fields.ts';
import type { Either, Shape } from './promised-types.ts';

/* Compares live replies with the promised fields. Independent of the program: its input is parsed JSON. */

const day = String.raw`\d{4}-\d{2}-\d{2}`;
const matches = (pattern: string) => {
  const expression = new RegExp(`^${pattern}$`);
  return (value: unknown) => typeof value === 'string' && expression.test(value);
};

const words: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  cents: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  decimal: matches(String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?`),
  date: matches(day),
  time: matches(String.raw`${day}T\d{2}:\d{2}:\d{2}\.\d{3}Z`),
  microtime: matches(String.raw`${day}T\d{2}:\d{2}:\d{2}\.\d{6}Z`),
  null: (value) => value === null,
  any: (value) => value !== undefined && value !== null,
  rare: () => false,
};

/** Collects the missing, wrong and extra fields in replies of operations. */
export class PromisedReplies {
  readonly #faults = new Set<string>();
  readonly #additions = new Set<string>();
  readonly #valued = new Set<string>();
  readonly #called = new Set<string>();

  /** A reply of an operation such as `GET /api/v1/orders`; undefined: without a body. */
  add(operation: string, envelope: unknown): void {
    this.#called.add(operation);
    const shape = promisedFields[operation];
    if (shape === undefined) this.#faults.add(`${operation}: nothing is written down`);
    else if (shape !== null) this.#walk(operation, envelope, shape);
    else if (envelope !== undefined) this.#faults.add(`${operation}: has a body`);
  }

  /** Fields that are absent, have another type, or had no value in any reply. */
  faults(): string[] {
    const uncalled = Object.keys(promisedFields).filter((operation) => !this.#called.has(operation));
    return [
      ...this.#faults,
      ...uncalled.map((operation) => `${operation}: not called`),
      ...Object.entries(promisedFields).flatMap(([operation, shape]) =>
        shape === null || uncalled.includes(operation) ? [] : this.#unvalued(operation, shape),
      ),
    ].sort();
  }

  /** Fields beyond the promised ones. */
  additions(): string[] {
    return [...this.#additions].sort();
  }

  #walk(path: string, value: unknown, shape: Shape): void {
    if (value !== null && value !== undefined) this.#valued.add(path);
    if (typeof shape === 'string') {
      if (!isOf(value, shape)) this.#faults.add(`${path}: ${shown(value)} is not ${shape}`);
    } else if (isList(shape)) {
      if (!Array.isArray(value)) this.#faults.add(`${path}: ${shown(value)} is not a list`);
      else for (const item of value) this.#walk(`${path}[]`, item, shape[0]);
    } else if (isEither(shape)) {
      const [inner, other] = shape.either;
      const isOther = other === 'null' ? value === null : isObject(value) && Object.keys(value).length === 0;
      if (!isOther) this.#walk(path, value, inner);
    } else if (isObject(value)) {
      this.#walkObject(path, value, shape);
    } else {
      this.#faults.add(`${path}: ${shown(value)} is not an object`);
    }
  }

  #walkObject(
    path: string,
    value: Readonly<Record<string, unknown>>,
    shape: Readonly<Record<string, Shape>>,
  ): void {
    const names = new Set<string>();
    for (const [promised, inner] of Object.entries(shape)) {
      const name = promised.replace('?', '');
      names.add(name);
      if (Object.hasOwn(value, name)) this.#walk(`${path} ${name}`, value[name], inner);
      else if (name === promised) this.#faults.add(`${path} ${name}: is absent`);
    }
    for (const name of Object.keys(value)) if (!names.has(name)) this.#additions.add(`${path} ${name}`);
  }

  #unvalued(path: string, shape: Shape): string[] {
    if (typeof shape === 'string') {
      const mayLack = shape === 'null' || shape.endsWith(' or rare');
      return mayLack || this.#valued.has(path) ? [] : [`${path}: never has a value`];
    }
    if (isList(shape)) return this.#unvalued(`${path}[]`, shape[0]);
    if (isEither(shape)) return this.#unvalued(path, shape.either[0]);
    return Object.entries(shape).flatMap(([name, inner]) =>
      this.#unvalued(`${path} ${name.replace('?', '')}`, inner),
    );
  }
}

function isOf(value: unknown, types: string): boolean {
  return types.split(' or ').some((type) => {
    if (type.startsWith("'")) return value === type.slice(1, -1);
    const is = words[type];
    if (is === undefined) throw new Error(`${type} is no type of promised-fields.ts`);
    return is(value);
  });
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isEither(shape: Shape): shape is Either {
  return typeof shape === 'object' && 'either' in shape;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
}
