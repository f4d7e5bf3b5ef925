import { decimal, decimalText } from '../../src/kernel/decimal.ts';

interface Item {
  readonly productId: number;
  readonly optionId: number;
}

/** Costs have six decimals: computed in millionths of a dollar. */
const micros = 1_000_000n;
const keyOf = ({ productId, optionId }: Item): string => `${productId}|${optionId}`;
/** Amounts are multiples of a half. */
const halvesOf = (amount: number): bigint => BigInt(amount * 2);

/** The average cost of a unit of each item (D52). */
export class CostModel {
  readonly #micros = new Map<string, bigint>();

  set(item: Item, cents: number): void {
    this.#micros.set(keyOf(item), (BigInt(cents) * micros) / 100n);
  }

  /** Averages existing stock at its cost and received stock at its own; to the sixth decimal, halves up. */
  receive(item: Item, onHand: number, amount: number, cents: number): void {
    if (onHand === 0) {
      this.set(item, cents);
      return;
    }
    const [there, comes] = [halvesOf(onHand), halvesOf(amount)];
    const total = there * this.#micros.get(keyOf(item))! + (comes * BigInt(cents) * micros) / 100n;
    const units = there + comes;
    this.#micros.set(keyOf(item), (2n * total + units) / (2n * units));
  }

  /** Dollars, as text; null if unknown. */
  costOf(item: Item): string | null {
    const known = this.#micros.get(keyOf(item));
    return known === undefined ? null : decimalText(decimal(String(known)).div(String(micros)));
  }
}
