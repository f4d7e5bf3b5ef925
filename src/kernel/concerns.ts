/**
 * What this process found wrong with its deployment, while it goes on serving: by name, in words for the owner of a shop. Health
 * checks, metrics and the console's warnings tell it; it never refuses a request.
 */
export class Concerns {
  readonly #words = new Map<string, string>();

  /** Sets the words of a concern; null: it is over. */
  set(name: string, words: string | null): void {
    if (words === null) this.#words.delete(name);
    else this.#words.set(name, words);
  }

  get words(): readonly string[] {
    return [...this.#words.values()];
  }

  get names(): readonly string[] {
    return [...this.#words.keys()];
  }
}

/** The concerns of this process. */
export const concerns = new Concerns();
