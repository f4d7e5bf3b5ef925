import { type Cart, type CartChange, changedCart, emptyCart } from './cart.ts';
import { type PendingSale, readSaved, savedText } from './saved-sale.ts';

/** The owner of a till: a cart belongs to one person of one shop. */
export interface TillOwner {
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
  #selling: CurrentSale;

  /** Takes the till. `tab`: the requesting tab. The saved sale begins later: its customer must be loaded first. */
  constructor(owner: TillOwner, tab: string, storage: SaleStorage) {
    const { organizationId, staffId } = owner;
    this.#owner = owner;
    this.#storage = storage;
    this.#tab = tab;
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
    if (sale === null && isEmpty(cart)) this.#write(this.keptKey, null);
    else this.#write(this.keptKey, savedText(cart, sale));
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
