import type { Facts } from './filter-meaning.ts';

/** What is made of the facts once, however often it is asked for. */
export function memoizeByFacts<Result>(make: (facts: Facts) => Result): (facts: Facts) => Result {
  const made = new WeakMap<Facts, Result>();
  return (facts) => {
    const result = made.get(facts) ?? make(facts);
    made.set(facts, result);
    return result;
  };
}
