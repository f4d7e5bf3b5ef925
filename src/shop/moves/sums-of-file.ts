import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';

export const moveFileKinds = ['products', 'customers', 'sales', 'state'] as const;
export type MoveFileKind = (typeof moveFileKinds)[number];

/** A day of a till, in cents. */
export interface DaySum {
  readonly sales: number;
  readonly netCents: number;
  readonly taxCents: number;
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
}

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
  #points: Decimal = zero;
  #creditCents = 0;
  #consents = 0;
  #options = 0;
  #priceCents = 0;
  readonly #days: Record<string, DaySum> = {};
  readonly #tags: Record<string, string> = {};

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

  get sums(): FileSums {
    return {
      points: decimalText(this.#points),
      ...{ creditCents: this.#creditCents, consents: this.#consents },
      ...{ options: this.#options, priceCents: this.#priceCents, days: this.#days, tags: this.#tags },
    };
  }
}
