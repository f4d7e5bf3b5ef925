const firstCapacity = 16;

/**
 * Numbers in the order they were added, at most `capacity` of them: for columns that many requests add to. A growing array
 * of numbers is copied as it grows and by every collection of garbage that it outlives; this one grows once, from a few to
 * all there is room for.
 */
export class NumberList {
  readonly #capacity: number;
  #numbers: Float64Array;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#numbers = new Float64Array(Math.min(firstCapacity, capacity));
  }

  get length(): number {
    return this.#length;
  }

  get first(): number | undefined {
    return this.#length === 0 ? undefined : this.#numbers[0];
  }

  get last(): number | undefined {
    return this.#numbers[this.#length - 1];
  }

  /** What was added until now: a view, which later additions leave as it is. */
  get values(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  /** Throws a `RangeError` when the list is full. */
  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
  }

  #grow(): void {
    if (this.#length === this.#capacity) throw new RangeError(`a list of ${this.#capacity} numbers is full`);
    const grown = new Float64Array(this.#capacity);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
