import Type, { type Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  DecimalText,
  Described,
  List,
  Named,
  Nullable,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { optionFields, productFields } from '../catalog/product-schemas.ts';
import {
  brandView,
  categoryView,
  joinedBrand,
  type OptionRow,
  optionView,
  ProductCategory,
} from '../catalog/products.ts';
import type { TradedOptionRow, TradedProductRow } from './traded-product-queries.ts';

/** How purchase orders, packages and transfers show their products (D51a, D53a). */

/** More than the options a product can have. */
const optionsMax = 100_000;

export const TradedProduct = Named(
  'TradedProduct',
  Type.Object({
    id: productFields.id,
    organizationId: productFields.organizationId,
    brand: productFields.brand,
    primaryCategory: Described('The category', ProductCategory),
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

export const TradedOption = Named(
  'TradedProductOption',
  Type.Object({ ...optionFields, deletedAt: Nullable(Timestamp()) }),
);

const MovingAverageCost = (description: string) => Nullable(DecimalText({ description }));

/** The product of a package, with its unit costs and its current options. */
export const PackagedProduct = Named(
  'PackagedProduct',
  Type.Object({
    ...TradedProduct.properties,
    archivedAt: Nullable(Timestamp({ description: 'The same as `deletedAt`' })),
    brandName: Nullable(Text({ description: 'Name of the brand', max: 200 })),
    movingAverageCostPerUnit: MovingAverageCost('Dollars; null unless stock is kept per product'),
    options: List(
      Type.Object({
        id: optionFields.id,
        name: optionFields.name,
        amount: optionFields.amount,
        price: optionFields.price,
        salesPrice: optionFields.salesPrice,
        content: optionFields.content,
        movingAverageCostPerUnit: MovingAverageCost('Dollars; null unless stock is kept per option'),
      }),
      { description: 'The sizes in which it is sold', max: optionsMax },
    ),
  }),
);

function tradedProduct(row: TradedProductRow): Static<typeof TradedProduct> {
  const brand = joinedBrand(row);
  return {
    id: row.id,
    organizationId: row.organization_id,
    brand: brand && brandView(brand),
    primaryCategory: categoryView({
      id: row.category_id,
      name: row.category_name,
      cannabis_type: row.category_cannabis_type,
      created_at: row.category_created_at,
      updated_at: row.category_updated_at,
    }),
    inventoryType: row.inventory_type,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    deletedAt: isoOrNull(row.deleted_at),
    description: row.description,
    isActive: row.is_active,
    isFeatured: row.is_featured,
    name: row.name,
    strainType: row.strain_type,
    isCompliant: row.is_compliant,
    unit: row.unit,
  };
}

function packagedProduct(
  row: TradedProductRow,
  options: readonly OptionRow[],
): Static<typeof PackagedProduct> {
  const ofProduct = row.inventory_type === 'product';
  const ofOption = row.inventory_type === 'option';
  return {
    ...tradedProduct(row),
    archivedAt: isoOrNull(row.deleted_at),
    brandName: row.brand_name,
    movingAverageCostPerUnit: ofProduct ? textOrNull(row.moving_average_cost_per_unit) : null,
    options: options.map((option) => {
      const { id, name, amount, price, salesPrice, content } = optionView(option, row.unit);
      const cost = ofOption ? textOrNull(option.moving_average_cost_per_unit) : null;
      return { id, name, amount, price, salesPrice, content, movingAverageCostPerUnit: cost };
    }),
  };
}

/** Looks up products and options that were read together. */
export class TradedGoods {
  readonly #products: ReadonlyMap<number, TradedProductRow>;
  readonly #options: ReadonlyMap<number, TradedOptionRow>;
  readonly #optionsOf: ReadonlyMap<number, readonly OptionRow[]>;

  /**
   * @param options the options that lines and packages name.
   * @param productOptions all current options of the products: for packages.
   */
  constructor(
    products: readonly TradedProductRow[],
    options: readonly TradedOptionRow[],
    productOptions: readonly OptionRow[] = [],
  ) {
    this.#products = new Map(products.map((row) => [row.id, row]));
    this.#options = new Map(options.map((row) => [row.id, row]));
    this.#optionsOf = groupBy(productOptions, (row) => row.product_id);
  }

  product(id: number): Static<typeof TradedProduct> | null {
    const row = this.#products.get(id);
    return row === undefined ? null : tradedProduct(row);
  }

  packagedProduct(id: number): Static<typeof PackagedProduct> | null {
    const row = this.#products.get(id);
    return row === undefined ? null : packagedProduct(row, this.#optionsOf.get(id) ?? []);
  }

  option(id: number): Static<typeof TradedOption> | null {
    const row = this.#options.get(id);
    const unit = row && this.#products.get(row.product_id)?.unit;
    if (row === undefined || unit === undefined) return null;
    return { ...optionView(row, unit), deletedAt: isoOrNull(row.deleted_at) };
  }
}

function isoOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : isoTimestamp(instantMs);
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : canonicalDecimalText(text);
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
  primaryCategory: {
    id: 2001,
    name: 'Flower',
    createdAt: '2026-02-01T17:05:09.123Z',
    updatedAt: '2026-02-01T17:05:09.123Z',
    cannabisType: 'non-concentrated',
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
  thcPercent: null,
  thcMg: null,
  cbdPercent: null,
  cbdMg: null,
  createdAt: '2026-02-01T17:05:09.123Z',
  updatedAt: '2026-02-01T17:05:09.123Z',
  deletedAt: null,
} as const;

export const packagedProductExample = {
  ...tradedProductExample,
  archivedAt: null,
  brandName: tradedProductExample.brand.name,
  movingAverageCostPerUnit: null,
  options: [
    {
      id: tradedOptionExample.id,
      name: tradedOptionExample.name,
      amount: tradedOptionExample.amount,
      price: tradedOptionExample.price,
      salesPrice: tradedOptionExample.salesPrice,
      content: tradedOptionExample.content,
      movingAverageCostPerUnit: '11.25',
    },
  ],
} as const;
