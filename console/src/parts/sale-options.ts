import type { Schema } from '../api.ts';
import { isScanCode, sameProductCode } from '../scanner/scan-codes.ts';

/** What can be put into a cart: one size of a product. */
export interface SaleOption {
  readonly productId: number;
  readonly productOptionId: number;
  /** In the unit of the product. */
  readonly amount: number;
  readonly inventoryType: Schema['Product']['inventoryType'];
  readonly productName: string;
  readonly brandName: string;
  readonly optionName: string;
  /** Cents for one, as it is sold now. */
  readonly price: number;
  /** Cents before a sale; null: it is not on sale. */
  readonly formerPrice: number | null;
  readonly upc: string | null;
  readonly photo: string | null;
  readonly category: string;
}

/** Products as what can be sold of them, in their order. */
export function saleOptions(products: readonly Schema['Product'][]): readonly SaleOption[] {
  return products.flatMap((product) =>
    product.options.map((option) => ({
      productId: product.id,
      productOptionId: option.id,
      amount: option.amount,
      inventoryType: product.inventoryType,
      productName: product.name,
      brandName: product.brand?.name ?? '',
      optionName: option.name,
      price: option.salesPrice ?? option.price,
      formerPrice: option.salesPrice === null ? null : option.price,
      upc: option.upc,
      photo: product.photos[0] ?? null,
      category: product.primaryCategory.name,
    })),
  );
}

/**
 * The options that are meant by what was scanned or typed in full: those with that UPC, else all that were found. A scanned
 * code means nothing but what has this very code.
 */
export function matchingOptions(
  options: readonly SaleOption[],
  typed: string,
  isCode: boolean,
): readonly SaleOption[] {
  const code = typed.trim();
  const scanned = options.filter(({ upc }) => upc !== null && sameProductCode(upc, code));
  return scanned.length > 0 || isCode ? scanned : options;
}

/** The one option that is meant by what was typed in full; null: none or several. */
export function meantOption(options: readonly SaleOption[], typed: string): SaleOption | null {
  const [option, ...others] = matchingOptions(options, typed, isScanCode(typed.trim()));
  return option && others.length === 0 ? option : null;
}
