import type { Schema } from '../api.ts';

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

/** Which option is meant by what was scanned or typed in full: the one with that UPC, else the only one there is. */
export function meantOption(options: readonly SaleOption[], typed: string): SaleOption | null {
  const code = typed.trim();
  const scanned = options.filter(({ upc }) => upc !== null && sameUpc(upc, code));
  if (scanned.length === 1) return scanned[0]!;
  return options.length === 1 ? options[0]! : null;
}

/** Scanners send a UPC-A with 12 digits, or as an EAN-13 with a zero before it. */
function sameUpc(upc: string, code: string): boolean {
  return upc === code || upc.replace(/^0+/, '') === code.replace(/^0+/, '');
}
