import { randomBytes, randomUUID } from 'node:crypto';
import { createClientKey, createIntegrator } from '../../src/access/keys/keys.ts';
import type { NewOrganization } from '../../src/access/organizations/create-organization.ts';
import { createOrganization } from '../../src/access/organizations/organizations.ts';
import type { CannabisType } from '../../src/engines/goods/cannabis-type.ts';
import type { CartTax } from '../../src/engines/pricing/pricing-facts.ts';
import type { Environment } from '../../src/kernel/api-keys.ts';
import { assert } from '../../src/kernel/assert.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import { permissions as allPermissions, type Permission } from '../../src/kernel/permission-catalog.ts';
import type { Context, Origin } from '../../src/platform/database/context.ts';
import { type InventoryType, importCatalog } from '../../src/shop/catalog/products.ts';
import { createLocations, openStock } from '../../src/shop/inventory/stock.ts';
import type { NewTerms } from '../../src/shop/settings/create-terms.ts';
import { createTerms } from '../../src/shop/settings/terms-of-sale.ts';

export const testOrigin: Origin = { actor: 'job:test', requestId: null };

/** The keys of a request. */
export interface TestKeys {
  readonly consumerKey?: string;
  readonly clientKey?: string;
}

export interface TestIntegrator {
  readonly id: number;
  readonly name: string;
  readonly consumerKey: string;
}

/** A client key with all permissions that does not expire, unless said. */
interface KeySettings {
  readonly permissions?: readonly Permission[];
  readonly expiresAtMs?: number | null;
  readonly strict?: boolean;
  readonly environment?: Environment;
  /** Makes the key publishable. */
  readonly origins?: readonly string[];
  /** D62; here on by default. */
  readonly vouches?: boolean;
}

/** A tax of 0 % on everything, with the given changes; categories by name. */
export interface TestTax extends Partial<Omit<CartTax, 'id' | `${string}CategoryIds`>> {
  readonly excludedCategories?: readonly string[];
  readonly nonExemptableCategories?: readonly string[];
}

/** Unlabelled stock at the first location, received a day ago at 10 dollars a unit, unless given. */
interface TestStock {
  /** Key of the option; absent for stock kept per product. */
  readonly option?: string;
  readonly amount: string;
  readonly location?: string;
  readonly label?: string;
  readonly costPerUnit?: string;
  readonly receivedDaysAgo?: number;
  readonly expirationDate?: string;
  readonly onHold?: boolean;
  readonly tradeSample?: boolean;
}

export interface TestProduct {
  /** Unique in the shop; also the name. */
  readonly key: string;
  /** By default Flower. */
  readonly category?: string;
  /** By default option. */
  readonly inventoryType?: InventoryType;
  readonly unit?: 'gram' | 'item';
  readonly isActive?: boolean;
  readonly tags?: readonly string[];
  readonly options: readonly {
    /** Unique in the shop. */
    readonly key: string;
    readonly name?: string;
    readonly amount?: string;
    readonly priceCents: number;
    readonly salesPriceCents?: number;
    /** By default 3.5; accessories have none. */
    readonly content?: string | null;
  }[];
  readonly stock?: readonly TestStock[];
}

export interface ShopSettings extends Partial<NewOrganization> {
  readonly taxes?: readonly TestTax[];
  readonly deliveryZones?: NewTerms['deliveryZones'];
  readonly paymentTypes?: NewTerms['paymentTypes'];
  readonly products?: readonly TestProduct[];
  /** In addition to those of every shop. */
  readonly categories?: Readonly<Record<string, CannabisType>>;
  /** Names of locations by order type; every name becomes a location. By default all draw from both. */
  readonly drawnFrom?: Readonly<Record<'delivery' | 'pickup' | 'in-store', readonly string[]>>;
  /** By default a new one. */
  readonly integrator?: TestIntegrator;
  readonly key?: KeySettings;
}

export interface TestShop {
  readonly organizationId: OrganizationId;
  readonly integrator: TestIntegrator;
  readonly keys: Required<TestKeys>;
  readonly clientKeyId: number;
  /** Ids by key or name; an unknown one fails the test. */
  productId(key: string): number;
  optionId(key: string): number;
  categoryId(name: string): number;
  locationId(name: string): number;
  paymentTypeId(name: string): number;
}

const everyShopsCategories: Readonly<Record<string, CannabisType>> = {
  Flower: 'non-concentrated',
  Edibles: 'edibles',
  Accessories: 'none',
};

const defaultTaxes: readonly TestTax[] = [
  { description: 'City tax', rate: '5', tier: '1', type: 'standard' },
  {
    description: 'Excise tax',
    rate: '15',
    tier: '2',
    type: 'excise',
    encompass: true,
    excludedCategories: ['Accessories'],
  },
  { description: 'Sales tax', rate: '9.25', tier: '3', encompass: true, exemptable: true },
];

const defaultZones: NewTerms['deliveryZones'] = [
  { name: 'Oakland', patterns: ['94607'], minimumCents: 5000, feeCents: 500, feeDescription: 'Delivery' },
  { name: 'East Bay', patterns: ['946*'], minimumCents: 7500, feeCents: 900, feeDescription: null },
];

const paymentType = { feeCents: 0, feeDescription: null, feePercent: '0', availableDelivery: true };
const defaultPaymentTypes: NewTerms['paymentTypes'] = [
  { ...paymentType, name: 'Cash', method: 'cash' },
  { ...paymentType, name: 'Debit', method: 'debit', feeCents: 350, feeDescription: 'Terminal fee' },
  { ...paymentType, name: 'Bank', method: 'processor', feePercent: '1.25' },
  { ...paymentType, name: 'Gift card', method: 'other', availableDelivery: false },
];

/** One product of each kind of stock, one off the menu, one sold out. */
const defaultProducts: readonly TestProduct[] = [
  {
    key: 'Moonlit Grove',
    unit: 'gram',
    tags: ['Staff pick'],
    options: [
      { key: 'eighth', amount: '3.5', priceCents: 3500 },
      { key: 'quarter', amount: '7', priceCents: 6500, salesPriceCents: 6000 },
      { key: 'sold out', amount: '28', priceCents: 20_000 },
    ],
    stock: [
      { option: 'eighth', amount: '100', label: '1A4FF0000000000000000001', receivedDaysAgo: 9 },
      { option: 'eighth', amount: '100000', label: '1A4FF0000000000000000002', receivedDaysAgo: 2 },
      { option: 'quarter', amount: '100000', location: 'Vault' },
    ],
  },
  {
    key: 'Counter Jar',
    unit: 'gram',
    inventoryType: 'product',
    options: [
      { key: 'gram', amount: '1', priceCents: 1200 },
      { key: 'half gram', amount: '0.5', priceCents: 700 },
    ],
    stock: [{ amount: '100000', label: '1A4FF0000000000000000003', costPerUnit: '4.123456' }],
  },
  {
    key: 'Citrus Gummies',
    category: 'Edibles',
    options: [{ key: 'gummies', priceCents: 1999 }],
    stock: [{ option: 'gummies', amount: '100000' }],
  },
  {
    key: 'Rolling Tray',
    category: 'Accessories',
    inventoryType: 'none',
    options: [{ key: 'tray', priceCents: 1250 }],
  },
  { key: 'Retired Strain', isActive: false, options: [{ key: 'retired', priceCents: 3000 }] },
];

const everywhere = ['Storefront', 'Vault'];
const dayMs = 86_400_000;

/**
 * Makes a small complete organization with the public writes of the slices: catalog, terms, locations, stock, an
 * integrator and a client key.
 */
export async function createTestShop(context: Context, settings: ShopSettings = {}): Promise<TestShop> {
  const {
    taxes = defaultTaxes,
    deliveryZones = defaultZones,
    paymentTypes = defaultPaymentTypes,
    products = defaultProducts,
    categories = {},
    drawnFrom = { delivery: everywhere, pickup: everywhere, 'in-store': everywhere },
    integrator = await createTestIntegrator(context, settings.key?.environment),
    ...profile
  } = settings;
  const organizationId = await createOrganization(context, testOrigin, {
    name: 'Test Shop',
    // An unknown state, so without limits: a test of limits names its own.
    state: 'OK',
    tz: 'America/Los_Angeles',
    customerEmail: 'hello@shop.example.com',
    customerPhone: '+15105550100',
    licenseNumber: 'C10-0000001-LIC',
    statusOnCreation: { delivery: 'draft', pickup: 'new' },
    ...profile,
  });
  const catalog = await importCatalog(context, testOrigin, organizationId, {
    categories: Object.entries({ ...everyShopsCategories, ...categories }).map(([name, cannabisType]) => ({
      name,
      cannabisType,
    })),
    subCategoryNames: ['Indoor'],
    brands: [{ name: 'Fernweh Farms', description: null }],
    tags: [
      { name: 'Staff pick', description: null },
      { name: 'Empty', description: 'On no product' },
    ],
    products: products.map((product) => ({
      name: product.key,
      description: `About **${product.key}**`,
      unit: product.unit ?? 'item',
      strainType: 'hybrid',
      brandName: 'Fernweh Farms',
      categoryName: product.category ?? 'Flower',
      subCategoryNames: ['Indoor'],
      tagNames: product.tags ?? [],
      inventoryType: product.inventoryType ?? 'option',
      isActive: product.isActive ?? true,
      isFeatured: false,
      thc: { unit: '%', amount: '21.5', amountEach: null, low: null, high: null },
      cbd: null,
      photos: [{ location: '/photos/a.svg', altText: null }],
      movingAverageCostPerUnit: product.inventoryType === 'product' ? '4.5' : null,
      options: product.options.map(({ key, ...option }) => ({
        name: null,
        amount: '1',
        salesPriceCents: null,
        upc: null,
        content: product.category === 'Accessories' ? null : '3.5',
        movingAverageCostPerUnit: (product.inventoryType ?? 'option') === 'option' ? '10' : null,
        ...option,
      })),
    })),
  });
  const productIds = new Map(products.map(({ key }, index) => [key, catalog.products[index]!.id]));
  const optionIds = new Map(
    products.flatMap(({ options }, index) =>
      options.map(({ key }, at) => [key, catalog.products[index]!.optionIds[at]!] as const),
    ),
  );

  const locationNames = [...new Set(Object.values(drawnFrom).flat())];
  const locationIds = await createLocations(context, testOrigin, organizationId, {
    locations: locationNames.map((name) => ({ name, description: null, type: 'standard' })),
    drawnFrom,
  });
  const categoryIds = (names: readonly string[] = []) => names.map((name) => catalog.categoryIds.get(name)!);
  const paymentTypeIds = await createTerms(context, testOrigin, organizationId, {
    deliveryZones,
    paymentTypes,
    taxes: taxes.map(({ excludedCategories, nonExemptableCategories, ...tax }) => ({
      description: 'Tax',
      rate: '0',
      tier: '1',
      type: 'standard',
      included: false,
      encompass: false,
      exemptable: false,
      appliesToFees: false,
      rounding: 'half-up',
      ...tax,
      excludedProductCategoryIds: categoryIds(excludedCategories),
      nonExemptableProductCategoryIds: categoryIds(nonExemptableCategories),
    })),
  });
  const stock = products.flatMap(({ key, stock = [] }) => stock.map((entry) => ({ product: key, ...entry })));
  if (stock.length > 0) {
    await openStock(
      context,
      testOrigin,
      organizationId,
      stock.map((entry) => ({
        productId: productIds.get(entry.product)!,
        optionId: entry.option === undefined ? null : optionIds.get(entry.option)!,
        label: entry.label ?? null,
        locationId: locationIds.get(entry.location ?? locationNames[0]!)!,
        unit: 'Each',
        amount: entry.amount,
        costPerUnit: entry.costPerUnit ?? '10',
        receivedAtMs: context.clock.now() - (entry.receivedDaysAgo ?? 1) * dayMs,
        expirationDate: entry.expirationDate ?? null,
        onHold: entry.onHold ?? false,
        tradeSample: entry.tradeSample ?? false,
      })),
    );
  }
  const { id: clientKeyId, keys } = await createTestKeys(context, organizationId, integrator, settings.key);
  const paymentTypeIdOf = new Map(paymentTypes.map(({ name }, index) => [name, paymentTypeIds[index]!]));
  return {
    organizationId,
    integrator,
    keys,
    clientKeyId,
    productId: known(productIds),
    optionId: known(optionIds),
    categoryId: known(catalog.categoryIds),
    locationId: known(locationIds),
    paymentTypeId: known(paymentTypeIdOf),
  };
}

/** Registers an integrator's company. */
export async function createTestIntegrator(
  context: Context,
  environment: Environment = 'production',
): Promise<TestIntegrator> {
  const name = `Corner Cart ${randomBytes(4).toString('hex')}`;
  return { name, ...(await createIntegrator(context, environment, name)) };
}

/** Issues a further client key of an organization. */
export async function createTestKeys(
  context: Context,
  organizationId: OrganizationId,
  integrator: TestIntegrator,
  { environment = 'production', ...settings }: KeySettings = {},
): Promise<{ id: number; keys: Required<TestKeys> }> {
  const { id, clientKey } = await createClientKey(context, environment, testOrigin, organizationId, {
    integratorId: integrator.id,
    name: 'Test key',
    permissions: allPermissions,
    expiresAtMs: null,
    strict: false,
    vouches: true,
    ...settings,
  });
  return { id, keys: { consumerKey: integrator.consumerKey, clientKey } };
}

/** A valid body to price or place: a pickup of two eighths, with the given changes. */
export function pickupBody(shop: TestShop, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    type: 'pickup',
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    idempotencyKey: randomUUID(),
    ...changes,
  };
}

/** The same as a delivery into the first default zone. */
export function deliveryBody(shop: TestShop, changes: Readonly<Record<string, unknown>> = {}) {
  return pickupBody(shop, {
    type: 'delivery',
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
    ...changes,
  });
}

function known(ids: ReadonlyMap<string, number>): (name: string) => number {
  return (name) => {
    const id = ids.get(name);
    assert(id !== undefined, `the test shop has no ${name}`);
    return id;
  };
}
