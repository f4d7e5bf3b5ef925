/**
 * What this process found wrong with its deployment, while it goes on serving: by name, in words for the owner of a shop. Health
 * checks, metrics and the console's warnings tell it; it never refuses a request.
 */
export class Concerns {
  readonly #words = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  /** Sets the words of a concern; null: it is over. */
  set(name: string, words: string | null): void {
    if ((this.#words.get(name) ?? null) === words) return;
    if (words === null) this.#words.delete(name);
    else this.#words.set(name, words);
    for (const tell of this.#listeners) tell();
  }

  /** What another process has to be told, to have the same. */
  get all(): readonly (readonly [name: string, words: string])[] {
    return [...this.#words];
  }

  /** Takes over all concerns of another process. */
  replaceAll(all: readonly (readonly [name: string, words: string])[]): void {
    const names = new Set(all.map(([name]) => name));
    for (const name of this.names) if (!names.has(name)) this.set(name, null);
    for (const [name, words] of all) this.set(name, words);
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(tell: () => void): () => void {
    this.#listeners.add(tell);
    return () => void this.#listeners.delete(tell);
  }

  get words(): readonly string[] {
    return [...this.#words.values()];
  }

  get names(): readonly string[] {
    return [...this.#words.keys()];
  }
}

/** Those about the WAL archive and about backups: what would be lost with the disk. */
export const backupConcerns: readonly string[] = ['wal-archive', 'base-backup', 'backup-drill'];

/** The concerns of this process. */
export const concerns = new Concerns();
