import { countedThc } from '../../engines/goods/potency.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { type CountedOptionRow, selectCountedOptions } from './former-sale-queries.ts';
import type { FormerLine } from './former-sale-schemas.ts';

/** A line of a ticket of another till. */
export interface SentLine {
  readonly productName: string;
  readonly brandName?: string | null;
  readonly category?: string | null;
  readonly sku?: string | null;
  readonly upc?: string | null;
  readonly size?: string | null;
  readonly tag?: string | null;
  /** A decimal. */
  readonly quantity: string;
  readonly isReturn?: boolean | null;
  /** Amounts in cents. */
  readonly gross?: number;
  readonly discount?: number;
  readonly net: number;
  readonly tax?: number;
}

/** The options that these lines can be of. */
export function selectOptionsOf(lines: readonly Pick<SentLine, 'productName' | 'upc' | 'sku'>[]) {
  return selectCountedOptions({
    upcs: lines.flatMap(({ upc }) => (isText(upc) ? [upc] : [])),
    skus: lines.flatMap(({ sku }) => (isText(sku) ? [sku] : [])),
    names: lines.map(({ productName }) => plainName(productName)),
  });
}

/** Whether a file says something there. */
export function isText(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}

function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/** The milligrams of THC that limits count of one unit; null: none. */
function thcOf({ cannabis_type: cannabisType, ...option }: CountedOptionRow): string | null {
  if (cannabisType === 'none') return null;
  const { unit, amount, content, thc_percent: thcPercent, thc_mg: thcMg } = option;
  return countedThc({ cannabisType, unit, amount, content, thcPercent, thcMg });
}

function isReturned({ isReturn, quantity }: SentLine): boolean {
  return isReturn ?? decimal(quantity).lt(0);
}

/** A till writes what came back below zero, or marks it: either way it is taken off. */
function signedCents(cents: number, isReturn: boolean): number {
  return isReturn ? -Math.abs(cents) : cents;
}

/** What the lines of a ticket add up to, as it is kept. */
export function signedSums({ options }: { readonly options: readonly SentLine[] }): {
  readonly netCents: number;
  readonly taxCents: number;
} {
  const sum = (of: (line: SentLine) => number) =>
    options.reduce((total, line) => total + signedCents(of(line), isReturned(line)), 0);
  return { netCents: sum(({ net }) => net), taxCents: sum(({ tax }) => tax ?? 0) };
}

/** What the lines were of, as the catalog has it today. */
export class SoldGoods {
  readonly #ofUpc: Map<string, CountedOptionRow[]>;
  readonly #ofSku: Map<string, CountedOptionRow[]>;
  readonly #ofName: Map<string, CountedOptionRow[]>;

  constructor(options: readonly CountedOptionRow[]) {
    const by = (key: (row: CountedOptionRow) => string | null) => {
      const groups = new Map<string, CountedOptionRow[]>();
      for (const row of options) {
        const name = key(row);
        if (name !== null) groups.set(name, [...(groups.get(name) ?? []), row]);
      }
      return groups;
    };
    this.#ofUpc = by((row) => row.upc);
    this.#ofSku = by((row) => row.sku);
    this.#ofName = by((row) => plainName(row.product_name));
  }

  /** What a line counts for limits; null: none is meant, or it cannot be told which of several. */
  #find(line: SentLine): CountedOptionRow | null {
    const [first, ...others] = this.#candidates(line);
    const isOne = others.every(
      (row) =>
        row.cannabis_type === first!.cannabis_type &&
        row.content === first!.content &&
        thcOf(row) === thcOf(first!),
    );
    return first !== undefined && isOne ? first : null;
  }

  /** The one option that a line names; null: none, or several. */
  optionIdOf(line: Pick<SentLine, 'productName' | 'brandName' | 'sku' | 'upc' | 'size'>): number | null {
    const [first, ...others] = this.#candidates(line);
    return first !== undefined && others.length === 0 ? first.option_id : null;
  }

  /** The one product that a line names, and its option unless all sizes share their stock; null: none, or it cannot be told which. */
  stockOf(
    line: Pick<SentLine, 'productName' | 'brandName' | 'sku' | 'upc' | 'size'>,
  ): (Pick<CountedOptionRow, 'product_id' | 'inventory_type'> & { option_id: number | null }) | null {
    const [first, ...others] = this.#candidates(line);
    if (first === undefined) return null;
    const { product_id, inventory_type } = first;
    if (inventory_type !== 'option') {
      return others.every((row) => row.product_id === product_id)
        ? { product_id, inventory_type, option_id: null }
        : null;
    }
    return others.length === 0 ? first : null;
  }

  #candidates({
    upc,
    sku,
    productName,
    brandName,
    size,
  }: Pick<SentLine, 'productName' | 'brandName' | 'sku' | 'upc' | 'size'>): readonly CountedOptionRow[] {
    const named = this.#ofName.get(plainName(productName)) ?? [];
    const ofBrand = isText(brandName)
      ? named.filter((row) => row.brand_name !== null && plainName(row.brand_name) === plainName(brandName))
      : [];
    const ofCode = (isText(upc) && this.#ofUpc.get(upc)) || (isText(sku) && this.#ofSku.get(sku));
    // Brands are written in many ways: a name that only one product has is enough.
    const found = ofCode || (ofBrand.length > 0 ? ofBrand : named);
    const sized = isText(size)
      ? found.filter(({ option_name: name }) => name !== null && plainName(name) === plainName(size))
      : [];
    return sized.length > 0 ? sized : found;
  }

  lineOf(line: SentLine): FormerLine {
    const option = this.#find(line);
    const quantity = decimal(line.quantity).abs();
    const isReturn = isReturned(line);
    const ofLine = (ofUnit: string | null) => ofUnit && decimalText(decimal(ofUnit).times(quantity));
    const content = option === null || option.cannabis_type === 'none' ? null : ofLine(option.content);
    const thcMg = option === null ? null : ofLine(thcOf(option));
    const isCounted = content !== null || thcMg !== null;
    const signed = (cents: number) => signedCents(cents, isReturn);
    return {
      productName: line.productName,
      brandName: line.brandName ?? null,
      category: line.category ?? null,
      tag: line.tag ?? null,
      quantity: decimalText(quantity),
      isReturn,
      gross: signed(line.gross ?? line.net + Math.abs(line.discount ?? 0)),
      discount: signed(Math.abs(line.discount ?? 0)),
      net: signed(line.net),
      tax: signed(line.tax ?? 0),
      cannabisType: isCounted ? (option!.cannabis_type as FormerLine['cannabisType']) : null,
      ...{ content, thcMg },
    };
  }

  warningsOf(lines: readonly SentLine[]) {
    return lines.flatMap((line, at) =>
      this.#find(line) === null
        ? [
            {
              path: `options[${at}].productName`,
              message:
                'is no product of the catalog, or one of several sizes, so the line counts for no purchase limit',
            },
          ]
        : [],
    );
  }
}
