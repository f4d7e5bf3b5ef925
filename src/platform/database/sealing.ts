import { assert } from '../../kernel/assert.ts';

/** A text that only a process with the master keys can read. */
export interface SealedText {
  readonly masterKeyId: string;
  readonly sealed: Uint8Array;
}

/** Seals texts for columns that a reader of the database, or of a backup, must not read. */
export interface Sealer {
  /** The key that texts are sealed with now. */
  readonly masterKeyId: string;
  /** `label`: what the text is of; it opens for nothing else. */
  seal(text: string, label: string): SealedText;
  /** Null: its key is gone, or it is damaged. */
  open(sealed: SealedText, label: string): string | null;
  /** What finds a text again without keeping it: an HMAC (SHA-256, hexadecimal) under each known key, the present one first. */
  digests(text: string, label: string): readonly [string, ...string[]];
}

/** The sealer of a process, which hands it over once it has its settings: a context is made before. */
export class Sealing {
  #load: (() => Promise<Sealer>) | undefined;

  use(load: () => Promise<Sealer>): void {
    this.#load = load;
  }

  /** With the keys as they are now: the operator may rotate them meanwhile. */
  load(): Promise<Sealer> {
    assert(this.#load !== undefined, 'a process that seals texts has the master keys');
    return this.#load();
  }
}
