import { createHash } from 'node:crypto';

const firstRoom = 1024;

/**
 * A number for each of many texts, such as the line where a key of a large file stands. It keeps 64 bits of a hash in place of the text:
 * 12 bytes a key, a tenth of a Map, so that a file of some hundred thousand rows takes a few megabytes. Two of a million keys are
 * mistaken for one once in forty million files.
 */
export class KeyTable {
  #hashes = new BigUint64Array(firstRoom);
  #numbers = new Uint32Array(firstRoom);
  #size = 0;

  get(key: string): number | undefined {
    const place = this.#placeOf(hashOf(key));
    return this.#hashes[place] === 0n ? undefined : this.#numbers[place];
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** @param number below 2^32 */
  set(key: string, number: number): void {
    const hash = hashOf(key);
    let place = this.#placeOf(hash);
    if (this.#hashes[place] === 0n) {
      if (this.#size * 2 >= this.#hashes.length) {
        this.#grow();
        place = this.#placeOf(hash);
      }
      this.#hashes[place] = hash;
      this.#size += 1;
    }
    this.#numbers[place] = number;
  }

  /** The place that has the hash, or the free one where it belongs. */
  #placeOf(hash: bigint): number {
    const mask = this.#hashes.length - 1;
    let place = Number(hash & 0xffff_ffffn) & mask;
    while (this.#hashes[place] !== 0n && this.#hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#numbers = new Uint32Array(numbers.length * 2);
    for (const [at, hash] of hashes.entries()) {
      if (hash === 0n) continue;
      const place = this.#placeOf(hash);
      this.#hashes[place] = hash;
      this.#numbers[place] = numbers[at]!;
    }
  }
}

/** Never 0, which is a free place. */
function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE() || 1n;
}
