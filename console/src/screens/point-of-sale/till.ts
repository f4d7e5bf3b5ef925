import { type Cart, type CartChange, changedCart, emptyCart } from './cart.ts';
import { keptText, readKept, type SaleUnderWay } from './kept-sale.ts';

/** Whose till: a cart is one person's, of one shop. */
export interface TillOwner {
  readonly organizationId: number;
  readonly staffId: number;
}

/** What is being sold. */
export interface Selling {
  readonly cart: Cart;
  readonly sale: SaleUnderWay | null;
}

/** Of `Storage`, what is used. It may refuse: then nothing is kept, and everything else works. */
export type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The cart of one person on this device, with the sale under way: kept with every change, before anything is sent, until it is
 * sold or cleared. One tab of the browser has it: the one that took it last. Another one writes nothing any more.
 */
export class Till {
  readonly #owner: TillOwner;
  readonly #keeping: Keeping;
  readonly #tab: string;
  readonly #listeners = new Set<() => void>();
  readonly keptKey: string;
  readonly holderKey: string;
  #selling: Selling;

  /** Takes the till. `tab`: the one that asks. What was kept is still to be begun with: who buys has to be looked up first. */
  constructor(owner: TillOwner, tab: string, keeping: Keeping) {
    const { organizationId, staffId } = owner;
    this.#owner = owner;
    this.#keeping = keeping;
    this.#tab = tab;
    this.keptKey = `till-sale/${organizationId}/${staffId}`;
    this.holderKey = `till-holder/${organizationId}/${staffId}`;
    this.#write(this.holderKey, tab);
    this.#selling = { cart: emptyCart, sale: null };
  }

  isOf({ organizationId, staffId }: TillOwner): boolean {
    return this.#owner.organizationId === organizationId && this.#owner.staffId === staffId;
  }

  /** What was kept, if it can be read. */
  kept() {
    return readKept(this.#read(this.keptKey));
  }

  /** Whether no other tab has taken it since. */
  isHeld(): boolean {
    const holder = this.#read(this.holderKey);
    return holder === null || holder === this.#tab;
  }

  readonly selling = (): Selling => this.#selling;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  begin(selling: Selling): void {
    this.#set(selling);
  }

  change(change: CartChange): void {
    this.#set({ ...this.#selling, cart: changedCart(this.#selling.cart, change) });
  }

  setSale(sale: SaleUnderWay | null): void {
    this.#set({ ...this.#selling, sale });
  }

  #set(selling: Selling): void {
    this.#selling = selling;
    for (const listener of this.#listeners) listener();
    if (!this.isHeld()) return;
    const { cart, sale } = selling;
    if (sale === null && isEmpty(cart)) this.#write(this.keptKey, null);
    else this.#write(this.keptKey, keptText(cart, sale));
  }

  #read(key: string): string | null {
    try {
      return this.#keeping.getItem(key);
    } catch {
      return null;
    }
  }

  #write(key: string, text: string | null): void {
    try {
      if (text === null) this.#keeping.removeItem(key);
      else this.#keeping.setItem(key, text);
    } catch {
      // A browser that keeps nothing, or has no room left.
    }
  }
}

/** Nothing that is kept is in it. */
function isEmpty(cart: Cart): boolean {
  return keptText(cart, null) === keptText(emptyCart, null);
}
