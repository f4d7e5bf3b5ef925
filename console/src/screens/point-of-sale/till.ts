import { type Cart, type CartChange, changedCart, emptyCart } from './cart.ts';
import { type PendingSale, readSaved, type SavedSale, savedText } from './saved-sale.ts';
import type { DurableCopy } from './strict-copy.ts';

/** The owner of a till: a cart belongs to one person of one shop. */
interface TillOwner {
  readonly organizationId: number;
  readonly staffId: number;
}

/** The current cart and sale. */
export interface CurrentSale {
  readonly cart: Cart;
  readonly sale: PendingSale | null;
}

/** The used part of `Storage`. It may refuse: then nothing is saved, and everything else works. */
export type SaleStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A disk that takes longer does not hold up a sale. */
const copyMsMax = 2_000;

const within = <Value>(asked: Promise<Value>, otherwise: Value): Promise<Value> =>
  Promise.race([asked, new Promise<Value>((resolve) => setTimeout(() => resolve(otherwise), copyMsMax))]);

/**
 * The cart of one person on this device, with the current sale: saved on every change, before anything is sent, until it is
 * sold or cleared. Only one browser tab holds it: the last one to take it. Other tabs no longer write.
 */
export class Till {
  readonly #owner: TillOwner;
  readonly #storage: SaleStorage;
  readonly #tab: string;
  readonly #listeners = new Set<() => void>();
  readonly keptKey: string;
  readonly holderKey: string;
  readonly #copy: DurableCopy | null;
  #copied: Promise<void> = Promise.resolve();
  #selling: CurrentSale;

  /**
   * Takes the till. `tab`: the requesting tab. The saved sale begins later: its customer must be loaded first. `copy` also keeps what
   * a crash takes from `storage`, whose last seconds are not on the disk yet.
   */
  constructor(owner: TillOwner, tab: string, storage: SaleStorage, copy: DurableCopy | null = null) {
    const { organizationId, staffId } = owner;
    this.#owner = owner;
    this.#storage = storage;
    this.#tab = tab;
    this.#copy = copy;
    this.keptKey = `till-sale/${organizationId}/${staffId}`;
    this.holderKey = `till-holder/${organizationId}/${staffId}`;
    this.#write(this.holderKey, tab);
    this.#selling = { cart: emptyCart, sale: null };
  }

  isOf({ organizationId, staffId }: TillOwner): boolean {
    return this.#owner.organizationId === organizationId && this.#owner.staffId === staffId;
  }

  /** The saved data, if it is readable. */
  kept() {
    return readSaved(this.#read(this.keptKey));
  }

  /** The saved data, or its copy, if that is later. */
  async newest(): Promise<SavedSale | null> {
    const copied = this.#copy === null ? null : await within(this.#copy.get(this.keptKey), null);
    return copied !== null && copied.at > this.#savedAt() ? readSaved(copied.text) : this.kept();
  }

  /** Resolves once what is saved would be there after a crash, or cannot be. */
  async isDurable(): Promise<void> {
    await within(this.#copied, undefined);
  }

  /** Whether this tab still holds the till. */
  isHeld(): boolean {
    const holder = this.#read(this.holderKey);
    return holder === null || holder === this.#tab;
  }

  readonly selling = (): CurrentSale => this.#selling;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  begin(selling: CurrentSale): void {
    this.#set(selling);
  }

  change(change: CartChange): void {
    this.#set({ ...this.#selling, cart: changedCart(this.#selling.cart, change) });
  }

  setSale(sale: PendingSale | null): void {
    this.#set({ ...this.#selling, sale });
  }

  #set(selling: CurrentSale): void {
    this.#selling = selling;
    for (const listener of this.#listeners) listener();
    if (!this.isHeld()) return;
    const { cart, sale } = selling;
    const text = sale === null && isEmpty(cart) ? null : savedText(cart, sale);
    const at = Math.max(Date.now(), this.#savedAt() + 1);
    this.#write(this.keptKey, text);
    this.#write(`${this.keptKey}/at`, String(at));
    if (this.#copy !== null) this.#copied = this.#copy.put(this.keptKey, { at, text });
  }

  /** When it was last saved; 0: never. */
  #savedAt(): number {
    return Number(this.#read(`${this.keptKey}/at`) ?? 0) || 0;
  }

  #read(key: string): string | null {
    try {
      return this.#storage.getItem(key);
    } catch {
      return null;
    }
  }

  #write(key: string, text: string | null): void {
    try {
      if (text === null) this.#storage.removeItem(key);
      else this.#storage.setItem(key, text);
    } catch {
      // A browser that keeps nothing, or has no room left.
    }
  }
}

/** Nothing saved is in it. */
function isEmpty(cart: Cart): boolean {
  return savedText(cart, null) === savedText(emptyCart, null);
}
