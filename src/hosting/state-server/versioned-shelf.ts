/** An object of the state's system, owned by a license. It is replaced, never changed in place. */
export interface Kept {
  readonly id: number;
  readonly license: string;
}

/** An object with the time of its last change. */
export interface Seen<Value extends Kept> {
  readonly value: Value;
  /** Microseconds since the epoch. Grows with every change of the object. */
  readonly changed: number;
}

/** What can be taken back when a write is refused. */
export interface Journal {
  /** Keeps how a change is taken back, while a write is under way. */
  note(undo: () => void): void;
  /** Microseconds since the epoch. */
  now(): number;
  /** How long changes stay unseen by readers, in microseconds. */
  lagOf(kind: string): number;
}

/** Readers are never further behind. */
const lagMicrosMax = 1_000_000_000;

/** All objects of a kind, with the versions that readers may still see. */
export class VersionedShelf<Value extends Kept> {
  readonly kind: string;
  readonly #journal: Journal;
  readonly #versions = new Map<number, readonly Seen<Value>[]>();

  constructor(kind: string, journal: Journal) {
    this.kind = kind;
    this.#journal = journal;
  }

  /** Adds an object, or replaces it. */
  put(value: Value): Value {
    const before = this.#versions.get(value.id);
    const last = before?.at(-1)?.changed ?? 0;
    const now = this.#journal.now();
    const readable = before?.findLastIndex(({ changed }) => changed <= now - lagMicrosMax) ?? 0;
    const kept = before?.slice(Math.max(0, readable)) ?? [];
    this.#set(value.id, [...kept, { value, changed: Math.max(now, last + 1) }]);
    return value;
  }

  /** Changes an object. Fails if there is none with this id. */
  change(id: number, members: Partial<Value>): Value {
    return this.put({ ...this.byId(id)!, ...members });
  }

  /** Takes an object away, with all of its versions. */
  remove(id: number): void {
    this.#set(id, undefined);
  }

  #set(id: number, versions: readonly Seen<Value>[] | undefined): void {
    const before = this.#versions.get(id);
    this.#journal.note(() => this.#write(id, before));
    this.#write(id, versions);
  }

  #write(id: number, versions: readonly Seen<Value>[] | undefined): void {
    if (versions === undefined) this.#versions.delete(id);
    else this.#versions.set(id, versions);
  }

  /** The object as it is. */
  byId(id: number): Value | undefined {
    return this.#versions.get(id)?.at(-1)?.value;
  }

  /** The objects as they are, in the order of their ids. */
  all(license?: string): Value[] {
    const values = [...this.#versions.values()].map((versions) => versions.at(-1)!.value);
    return values.filter((it) => license === undefined || it.license === license).sort((a, b) => a.id - b.id);
  }

  /** The objects as readers see them. */
  seen(licenses: readonly string[]): Seen<Value>[] {
    return [...this.#versions.keys()]
      .flatMap((id) => this.seenById(id, licenses) ?? [])
      .sort((a, b) => a.value.id - b.value.id);
  }

  /** The object as a reader of these licenses sees it. */
  seenById(id: number, licenses: readonly string[]): Seen<Value> | undefined {
    const lag = this.#journal.lagOf(this.kind);
    const until = this.#journal.now() - lag;
    // Without a lag every version is seen, also one whose time was moved up to grow.
    const found = this.#versions.get(id)?.findLast(({ changed }) => lag === 0 || changed <= until);
    return found !== undefined && licenses.includes(found.value.license) ? found : undefined;
  }
}
