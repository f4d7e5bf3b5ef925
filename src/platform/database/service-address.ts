/** The address at which people reach this service, which a process knows once it has its settings: a context is made before. */
export class ServiceAddress {
  #read: (() => string | undefined) | undefined;

  use(read: () => string | undefined): void {
    this.#read = read;
  }

  /** Without a slash at its end; null: this process does not know it. */
  url(): string | null {
    return this.#read?.()?.replace(/\/$/, '') ?? null;
  }
}
