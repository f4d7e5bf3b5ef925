import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import type { ClosedDay, DiscountUse } from './told-rows.ts';

export const moveFileKinds = [
  ...(['products', 'packages', 'customers', 'vendors', 'staff', 'sales'] as const),
  // These are compared or proposed, and written nowhere.
  ...(['discounts', 'closings', 'state'] as const),
] as const;
export type MoveFileKind = (typeof moveFileKinds)[number];

/** A day of a till, in cents. */
export interface DaySum {
  readonly sales: number;
  readonly netCents: number;
  readonly taxCents: number;
}

/** A day as the former till closed it. */
export interface ClosedDaySum extends Omit<DaySum, 'sales'> {
  /** Null: it does not count them. */
  readonly sales: number | null;
}

/** What a discount of the former till did, as a proposal for one here. */
export interface DiscountSum {
  readonly codes: readonly string[];
  readonly uses: number;
  readonly amountCents: number;
}

/** What the rows of a file add up to. */
export interface FileSums {
  readonly points: string;
  readonly creditCents: number;
  /** Customers who agreed to marketing. */
  readonly consents: number;
  readonly options: number;
  readonly priceCents: number;
  readonly days: Readonly<Record<string, DaySum>>;
  /** Quantities by the state's tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** Dollars: quantities by their costs. */
  readonly stockValue: string;
  readonly discounts: Readonly<Record<string, DiscountSum>>;
  readonly closings: Readonly<Record<string, ClosedDaySum>>;
}

/** Further ones are left out: a shop has fewer. */
const discountsMax = 500;
const codesMax = 20;

/** A file of a move as it was last loaded. */
export interface MoveFile {
  readonly kind: MoveFileKind;
  readonly name: string;
  /** In hexadecimal: the same content is the same file. */
  readonly sha256: string;
  readonly loadedAt: string;
  readonly read: number;
  readonly created: number;
  readonly known: number;
  readonly refused: number;
  readonly sums: FileSums;
}

/** Adds the rows of a file up while they are loaded; a day is the local day that the file says. */
export class SumsOfFile {
  #points: Decimal;
  #creditCents: number;
  #consents: number;
  #options: number;
  #priceCents: number;
  readonly #days: Record<string, DaySum>;
  readonly #tags: Record<string, string>;
  #stockValue: Decimal;
  readonly #discounts: Record<string, DiscountSum>;
  readonly #closings: Record<string, ClosedDaySum>;

  /** @param before what the rows of an earlier run add up to; null: it begins with the first one. */
  constructor(before: FileSums | null = null) {
    this.#points = decimal(before?.points ?? '0');
    this.#creditCents = before?.creditCents ?? 0;
    this.#consents = before?.consents ?? 0;
    this.#options = before?.options ?? 0;
    this.#priceCents = before?.priceCents ?? 0;
    this.#days = { ...before?.days };
    // Without a prototype: a file may name a tag as that of every object.
    this.#tags = Object.assign(Object.create(null), before?.tags);
    this.#stockValue = decimal(before?.stockValue ?? '0');
    this.#discounts = { ...before?.discounts };
    this.#closings = { ...before?.closings };
  }

  customer(row: {
    readonly points: string;
    readonly creditCents: number;
    readonly hasConsent: boolean;
  }): void {
    this.#points = this.#points.plus(row.points);
    this.#creditCents += row.creditCents;
    if (row.hasConsent) this.#consents += 1;
  }

  product(pricesCents: readonly number[]): void {
    this.#options += pricesCents.length;
    for (const cents of pricesCents) this.#priceCents += cents;
  }

  sale(day: string, { netCents, taxCents }: Omit<DaySum, 'sales'>): void {
    const before = this.#days[day] ?? { sales: 0, netCents: 0, taxCents: 0 };
    this.#days[day] = {
      sales: before.sales + 1,
      netCents: before.netCents + netCents,
      taxCents: before.taxCents + taxCents,
    };
  }

  package(tag: string, quantity: string): void {
    this.#tags[tag] = decimalText(decimal(this.#tags[tag] ?? '0').plus(quantity));
  }

  /** @param unitCost dollars; null: it is not said. */
  stock(amount: Decimal, unitCost: string | null): void {
    this.#stockValue = this.#stockValue.plus(amount.times(unitCost ?? '0'));
  }

  discount({ name, code, uses, amountCents }: DiscountUse): void {
    const before = this.#discounts[name];
    if (before === undefined && Object.keys(this.#discounts).length >= discountsMax) return;
    const codes = new Set([...(before?.codes ?? []), ...(code === null ? [] : [code])]);
    this.#discounts[name] = {
      codes: [...codes].slice(0, codesMax),
      uses: (before?.uses ?? 0) + uses,
      amountCents: (before?.amountCents ?? 0) + amountCents,
    };
  }

  closing({ day, sales, netCents, taxCents }: ClosedDay): void {
    const before = this.#closings[day] ?? { sales: 0, netCents: 0, taxCents: 0 };
    this.#closings[day] = {
      sales: sales === null || before.sales === null ? null : before.sales + sales,
      netCents: before.netCents + netCents,
      taxCents: before.taxCents + taxCents,
    };
  }

  get sums(): FileSums {
    return {
      points: decimalText(this.#points),
      ...{ creditCents: this.#creditCents, consents: this.#consents },
      ...{ options: this.#options, priceCents: this.#priceCents, days: this.#days, tags: this.#tags },
      ...{ stockValue: decimalText(this.#stockValue), discounts: this.#discounts },
      closings: this.#closings,
    };
  }
}

const proposalsMax = 1000;

/** The discounts that the files of a move tell of, the dearest first. */
export function proposedDiscounts(files: readonly MoveFile[]) {
  return files
    .flatMap(({ sums }) => Object.entries(sums.discounts))
    .map(([name, { codes, uses, amountCents }]) => ({ name, codes: [...codes], uses, amount: amountCents }))
    .toSorted((one, other) => other.amount - one.amount || (one.name < other.name ? -1 : 1))
    .slice(0, proposalsMax);
}
