import Type, { type Static } from 'typebox';
import type { OptionRow } from '../catalog/products.ts';
import { optionFields, optionView, productFields } from '../catalog/products.ts';
import { Named, Nullable, Timestamp } from '../http/schemas.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { TradedProductRow } from './traded-product-queries.ts';

/** How purchase orders, packages and transfers show what they are about. */

export const TradedProduct = Named(
  'TradedProduct',
  Type.Object({
    id: productFields.id,
    organizationId: productFields.organizationId,
    brand: productFields.brand,
    inventoryType: productFields.inventoryType,
    createdAt: productFields.createdAt,
    updatedAt: productFields.updatedAt,
    deletedAt: Nullable(Timestamp()),
    description: productFields.description,
    isActive: productFields.isActive,
    isFeatured: productFields.isFeatured,
    name: productFields.name,
    strainType: productFields.strainType,
    isCompliant: productFields.isCompliant,
    unit: productFields.unit,
  }),
);

export const TradedOption = Named('TradedProductOption', Type.Object(optionFields));

/** A product of its row. */
function tradedProduct(row: TradedProductRow): Static<typeof TradedProduct> {
  return {
    id: row.id,
    organizationId: row.organization_id,
    brand: {
      id: row.brand_id,
      name: row.brand_name,
      createdAt: isoTimestamp(row.brand_created_at),
      updatedAt: isoTimestamp(row.brand_updated_at),
      description: row.brand_description,
    },
    inventoryType: row.inventory_type,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    deletedAt: row.deleted_at === null ? null : isoTimestamp(row.deleted_at),
    description: row.description,
    isActive: row.is_active,
    isFeatured: row.is_featured,
    name: row.name,
    strainType: row.strain_type,
    isCompliant: row.is_compliant,
    unit: row.unit,
  };
}

/** Looks up products and options that were read together. */
export class TradedGoods {
  readonly #products: ReadonlyMap<number, TradedProductRow>;
  readonly #options: ReadonlyMap<number, OptionRow>;

  constructor(products: readonly TradedProductRow[], options: readonly OptionRow[]) {
    this.#products = new Map(products.map((row) => [row.id, row]));
    this.#options = new Map(options.map((row) => [row.id, row]));
  }

  product(id: number): Static<typeof TradedProduct> | null {
    const row = this.#products.get(id);
    return row === undefined ? null : tradedProduct(row);
  }

  option(id: number): Static<typeof TradedOption> | null {
    const row = this.#options.get(id);
    const unit = row && this.#products.get(row.product_id)?.unit;
    return row === undefined || unit === undefined ? null : optionView(row, unit);
  }
}

export const tradedProductExample = {
  id: 2101,
  organizationId: 1001,
  brand: {
    id: 2001,
    name: 'Fernweh Farms',
    createdAt: '2026-02-01T17:05:09.123Z',
    updatedAt: '2026-02-01T17:05:09.123Z',
    description: null,
  },
  inventoryType: 'option',
  createdAt: '2026-02-01T17:05:09.123Z',
  updatedAt: '2026-02-01T17:05:09.123Z',
  deletedAt: null,
  description: 'Sungrown, hand-trimmed.',
  isActive: true,
  isFeatured: false,
  name: 'Moonlit Grove',
  strainType: 'hybrid',
  isCompliant: true,
  unit: 'gram',
} as const;

export const tradedOptionExample = {
  id: 2201,
  name: '3.5 grams',
  amount: 3.5,
  price: 3500,
  salesPrice: null,
  upc: '850000000017',
  content: '3.5',
  createdAt: '2026-02-01T17:05:09.123Z',
  updatedAt: '2026-02-01T17:05:09.123Z',
} as const;
