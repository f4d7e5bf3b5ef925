import type { LocationName, PlaceName } from './simulated-shop.ts';

/** A product or an option whose stock is kept, in a package or loose, at a location. */
export interface Shelf {
  readonly productId: number;
  /** 0 where stock is kept per product. */
  readonly optionId: number;
  readonly location: PlaceName;
  /** Null: loose. */
  readonly label: string | null;
}

type StockCause = 'received' | 'taken' | 'given-back' | 'returned' | 'adjusted' | 'counted' | 'moved';

interface KnownPackage {
  readonly id: number;
  readonly productId: number;
  readonly optionId: number;
  readonly receivedAtMs: number;
  /** The last day on which it can be sold. */
  readonly expires: string | null;
}

export interface Need {
  readonly productId: number;
  readonly optionId: number;
  readonly amount: number;
}

export interface Taken {
  readonly shelf: Shelf;
  readonly amount: number;
}

const keyOf = ({ productId, optionId, location, label }: Shelf): string =>
  [productId, optionId, location, label ?? ''].join('|');

/** The expected stock of each shelf, kept by adding and subtracting, in multiples of a half. */
export class ShelfModel {
  readonly packages = new Map<string, KnownPackage>();
  /** The sum of changes for each reason. */
  readonly moved = new Map<StockCause, number>();
  readonly #amounts = new Map<string, { readonly shelf: Shelf; amount: number }>();

  amountOn(shelf: Shelf): number {
    return this.#amounts.get(keyOf(shelf))?.amount ?? 0;
  }

  move(shelf: Shelf, delta: number, cause: StockCause): void {
    this.moved.set(cause, (this.moved.get(cause) ?? 0) + delta);
    const entry = this.#amounts.get(keyOf(shelf));
    if (entry === undefined) this.#amounts.set(keyOf(shelf), { shelf, amount: delta });
    else entry.amount += delta;
  }

  /** The amount of an item for sale at some locations on a day. */
  sellable(item: Omit<Need, 'amount'>, places: readonly LocationName[], day: string): number {
    const shelves = this.#sellable({ ...item, amount: 0 }, places, day);
    return shelves.reduce((sum, shelf) => sum + this.amountOn(shelf), 0);
  }

  /** The amount of an item at all locations. */
  onHand({ productId, optionId }: Omit<Need, 'amount'>): number {
    const ofItem = this.all().filter(
      ({ shelf }) => shelf.productId === productId && shelf.optionId === optionId,
    );
    return ofItem.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Every shelf that ever had stock. */
  all(): readonly { readonly shelf: Shelf; readonly amount: number }[] {
    return [...this.#amounts.values()];
  }

  /**
   * The stock that each need takes (D24): location by location, in each loose stock and then the oldest package,
   * never expired ones. Null if stock does not suffice; moves nothing.
   */
  choose(
    needs: readonly Need[],
    places: readonly LocationName[],
    day: string,
  ): readonly (readonly Taken[])[] | null {
    const left = new Map<string, number>();
    const chosen: Taken[][] = [];
    for (const need of needs) {
      const taken: Taken[] = [];
      let missing = need.amount;
      for (const shelf of this.#sellable(need, places, day)) {
        const there = left.get(keyOf(shelf)) ?? this.amountOn(shelf);
        const amount = Math.min(there, missing);
        if (amount <= 0) continue;
        left.set(keyOf(shelf), there - amount);
        missing -= amount;
        taken.push({ shelf, amount });
      }
      if (missing > 0) return null;
      chosen.push(taken);
    }
    return chosen;
  }

  #sellable(need: Need, places: readonly LocationName[], day: string): Shelf[] {
    const age = ({ label }: Shelf) => {
      const known = label === null ? null : this.packages.get(label)!;
      return [known?.receivedAtMs ?? Number.NEGATIVE_INFINITY, known?.id ?? 0] as const;
    };
    return places.flatMap((place) =>
      this.all()
        .map(({ shelf }) => shelf)
        .filter(
          (shelf) =>
            shelf.location === place &&
            shelf.productId === need.productId &&
            shelf.optionId === need.optionId &&
            !this.#isExpired(shelf, day),
        )
        .sort((a, b) => {
          const [[atA, idA], [atB, idB]] = [age(a), age(b)];
          return atA === atB ? idA - idB : atA < atB ? -1 : 1;
        }),
    );
  }

  #isExpired({ label }: Shelf, day: string): boolean {
    const expires = label === null ? null : this.packages.get(label)!.expires;
    return expires !== null && expires < day;
  }
}
