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
  readonly #keyOf: (value: Value) => string | null;
  /** Under each key that an object has or had, its id: who looks one up compares. */
  readonly #idsOfKey = new Map<string, Set<number>>();
  /** What readers of some licenses see, as long as nothing changes: lists are read page by page. */
  #seen: { readonly by: string; readonly rows: readonly Seen<Value>[] } | undefined;

  /** Objects are looked up by that key, and by their id. */
  constructor(kind: string, journal: Journal, keyOf: (value: Value) => string | null = () => null) {
    this.kind = kind;
    this.#journal = journal;
    this.#keyOf = keyOf;
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
    this.#seen = undefined;
    if (versions === undefined) {
      this.#versions.delete(id);
      return;
    }
    this.#versions.set(id, versions);
    const key = this.#keyOf(versions.at(-1)!.value);
    if (key === null) return;
    const ids = this.#idsOfKey.get(key);
    if (ids === undefined) this.#idsOfKey.set(key, new Set([id]));
    else ids.add(id);
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

  /** The objects of a license with a key as they are, in the order of their ids. */
  withKey(key: string, license?: string): Value[] {
    return this.#idsWith(key).flatMap((id) => {
      const it = this.byId(id);
      const isIt = it !== undefined && this.#keyOf(it) === key && (license ?? it.license) === it.license;
      return isIt ? [it] : [];
    });
  }

  /** The objects with a key as readers of these licenses see them, in the order of their ids. */
  seenWithKey(key: string, licenses: readonly string[]): Seen<Value>[] {
    return this.#idsWith(key)
      .flatMap((id) => this.seenById(id, licenses) ?? [])
      .filter(({ value }) => this.#keyOf(value) === key);
  }

  #idsWith(key: string): number[] {
    return [...(this.#idsOfKey.get(key) ?? [])].sort((a, b) => a - b);
  }

  /** The objects as readers see them. */
  seen(licenses: readonly string[]): readonly Seen<Value>[] {
    const by = licenses.join(' ');
    // With a lag it is a matter of time, too.
    const isKept = this.#journal.lagOf(this.kind) === 0;
    if (isKept && this.#seen?.by === by) return this.#seen.rows;
    const rows = [...this.#versions.keys()]
      .flatMap((id) => this.seenById(id, licenses) ?? [])
      .sort((a, b) => a.value.id - b.value.id);
    if (isKept) this.#seen = { by, rows };
    return rows;
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
