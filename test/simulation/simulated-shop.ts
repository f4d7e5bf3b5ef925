import { decimal } from '../../src/kernel/decimal.ts';
import { setLoyaltyProgram } from '../../src/shop/promotions/promotions.ts';
import { createSandbox } from '../../src/shop/sandbox/sandbox.ts';
import { addDiscount } from '../harness/test-promotions.ts';
import type { TestService } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  type TestKeys,
  type TestProduct,
  type TestShop,
  testOrigin,
} from '../harness/test-shop.ts';

/**
 * The shop of a simulation, small enough that stock runs short every day. Prices, discounts and the tax make every
 * amount a whole number of cents without rounding: predictions need only addition and multiplication.
 */

export const timeZone = 'America/Los_Angeles';
export const deliveryMinimumCents = 5000;
export const deliveryFeeCents = 500;
export const codeCents = 500;
export const codeUses = 15;
export const code = 'WELCOME5';
export const locations = ['Storefront', 'Vault'] as const;
export type LocationName = (typeof locations)[number];
/** The vehicle: a place of stock from which no order draws. */
export const van = 'Van';
export type PlaceName = LocationName | typeof van;
export type OrderType = 'delivery' | 'pickup' | 'in-store';

/** D48: the locations of each type of order, in order. */
export const drawnFrom: Readonly<Record<OrderType, readonly LocationName[]>> = {
  delivery: ['Vault', 'Storefront'],
  pickup: ['Storefront', 'Vault'],
  'in-store': ['Storefront'],
};

export interface SoldOption {
  readonly name: string;
  readonly product: string;
  /** Accessories have no labels of the state. */
  readonly category: 'Flower' | 'Edibles' | 'Accessories';
  /** How its stock is kept. */
  readonly kept: 'option' | 'product' | 'none';
  /** Stock per unit. A multiple of a half, which binary numbers represent exactly. */
  readonly perUnit: number;
  readonly priceCents: number;
  /** The price of one unit after the automatic discount. */
  readonly finalCents: number;
}

export const soldOptions: readonly SoldOption[] = [
  {
    ...{ name: 'eighth', product: 'Grove', category: 'Flower', kept: 'option' },
    ...{ perUnit: 1, priceCents: 3500, finalCents: 3500 },
  },
  {
    ...{ name: 'quarter', product: 'Grove', category: 'Flower', kept: 'option' },
    ...{ perUnit: 1, priceCents: 6000, finalCents: 6000 },
  },
  {
    ...{ name: 'gram', product: 'Jar', category: 'Flower', kept: 'product' },
    ...{ perUnit: 1, priceCents: 1200, finalCents: 1200 },
  },
  {
    ...{ name: 'half gram', product: 'Jar', category: 'Flower', kept: 'product' },
    ...{ perUnit: 0.5, priceCents: 700, finalCents: 700 },
  },
  {
    ...{ name: 'gummies', product: 'Gummies', category: 'Edibles', kept: 'option' },
    ...{ perUnit: 1, priceCents: 2000, finalCents: 1800 },
  },
  {
    ...{ name: 'grinder', product: 'Grinder', category: 'Accessories', kept: 'option' },
    ...{ perUnit: 1, priceCents: 1500, finalCents: 1500 },
  },
  {
    ...{ name: 'tray', product: 'Tray', category: 'Accessories', kept: 'none' },
    ...{ perUnit: 0, priceCents: 1250, finalCents: 1250 },
  },
];

/** A tenth of the goods after discounts. */
export const taxOf = (merchandiseCents: number): number => merchandiseCents / 10;

export interface PaymentType {
  readonly name: string;
  readonly method: 'cash' | 'debit' | 'processor';
  readonly flatCents: number;
  /** The fee's share of the paid amount, in hundredths of a percent. */
  readonly basisPoints: number;
  /** Who takes the money; null: staff type what was paid. */
  readonly provider: 'terminal' | 'bank' | null;
}

export const paymentTypes: readonly PaymentType[] = [
  { name: 'Cash', method: 'cash', flatCents: 0, basisPoints: 0, provider: null },
  { name: 'Debit', method: 'debit', flatCents: 350, basisPoints: 0, provider: null },
  { name: 'Terminal', method: 'debit', flatCents: 250, basisPoints: 0, provider: 'terminal' },
  { name: 'Bank', method: 'processor', flatCents: 0, basisPoints: 125, provider: 'bank' },
];
export const cashType = paymentTypes[0]!;
export const typedTypes = paymentTypes.filter(({ provider }) => provider === null);
export const terminalType = paymentTypes.find(({ provider }) => provider === 'terminal')!;
export const bankType = paymentTypes.find(({ provider }) => provider === 'bank')!;

/** D28, halves up; a payment of 0 has none. */
export function feeOf(type: PaymentType, amountCents: number): number {
  if (amountCents === 0) return 0;
  const exact = amountCents * type.basisPoints;
  return type.flatCents + (exact - (exact % 10_000)) / 10_000 + (exact % 10_000 >= 5000 ? 1 : 0);
}

/** The initial cost of a unit, by its kind of stock; the test shops use these. */
export const openingCostCents = { option: 1000, product: 450 } as const;

/** The initial stock, all of it with labels but accessories; the packages differ in age. */
interface OpeningStock {
  readonly product: string;
  readonly option: string | null;
  readonly location: LocationName;
  readonly label: string | null;
  readonly amount: number;
  readonly receivedDaysAgo: number;
  readonly expires: string | null;
}

/** The unit of its packages at the state. */
export const unitOf = (product: string): 'Grams' | 'Each' => (product === 'Jar' ? 'Grams' : 'Each');

const label = (number: number): string => `1A4FF${String(number).padStart(19, '0')}`;

/** The label of a later package. */
export const newLabel = (number: number): string => label(1000 + number);

export const openingStock: readonly OpeningStock[] = [
  {
    ...{ product: 'Grove', option: 'eighth', location: 'Storefront', label: label(1) },
    ...{ amount: 30, receivedDaysAgo: 9, expires: null },
  },
  {
    ...{ product: 'Grove', option: 'eighth', location: 'Vault', label: label(2) },
    ...{ amount: 40, receivedDaysAgo: 20, expires: '2026-04-30' },
  },
  {
    ...{ product: 'Grove', option: 'eighth', location: 'Storefront', label: label(7) },
    ...{ amount: 6, receivedDaysAgo: 1, expires: null },
  },
  {
    ...{ product: 'Grove', option: 'quarter', location: 'Vault', label: label(3) },
    ...{ amount: 25, receivedDaysAgo: 5, expires: null },
  },
  {
    ...{ product: 'Grove', option: 'quarter', location: 'Storefront', label: label(8) },
    ...{ amount: 12, receivedDaysAgo: 1, expires: null },
  },
  {
    ...{ product: 'Jar', option: null, location: 'Storefront', label: label(4) },
    ...{ amount: 20, receivedDaysAgo: 30, expires: null },
  },
  {
    ...{ product: 'Jar', option: null, location: 'Storefront', label: label(5) },
    ...{ amount: 35, receivedDaysAgo: 3, expires: null },
  },
  {
    ...{ product: 'Jar', option: null, location: 'Vault', label: label(9) },
    ...{ amount: 15, receivedDaysAgo: 1, expires: null },
  },
  {
    ...{ product: 'Gummies', option: 'gummies', location: 'Storefront', label: label(6) },
    ...{ amount: 60, receivedDaysAgo: 4, expires: '2026-09-15' },
  },
  {
    ...{ product: 'Gummies', option: 'gummies', location: 'Vault', label: label(10) },
    ...{ amount: 20, receivedDaysAgo: 1, expires: null },
  },
  {
    ...{ product: 'Grinder', option: 'grinder', location: 'Storefront', label: null },
    ...{ amount: 30, receivedDaysAgo: 1, expires: null },
  },
  {
    ...{ product: 'Grinder', option: 'grinder', location: 'Vault', label: null },
    ...{ amount: 10, receivedDaysAgo: 1, expires: null },
  },
];

export const customers = Array.from({ length: 8 }, (_, at) => ({
  firstName: 'Buyer',
  lastName: `No. ${at}`,
  email: `buyer${at}@customers.example.com`,
}));

/** The index of the integrator whose pages customers buy at; those of keys with secrets are below it. */
export const webShop = 3;
const webShopOrigin = 'https://web-shop.example';

/** What the sandbox has by now. */
export interface PlayedSandbox {
  /** At which its clock stands; null: it runs with the deployment's. */
  standsAtMs: number | null;
  readonly orderIds: string[];
}

export interface SimulatedShop {
  readonly shop: TestShop;
  /** The keys of several integrators. */
  readonly keys: readonly Required<TestKeys>[];
  /** The publishable key of the web shop, and its pages. */
  readonly page: { readonly keys: TestKeys; readonly headers: { readonly origin: string } };
  /** Those of a sandbox of the first integrator. */
  readonly sandboxKeys: TestKeys;
}

/** Opens the shop, with its discounts, its points (one for each dollar) and its integrators. */
export async function openSimulatedShop({ context }: TestService): Promise<SimulatedShop> {
  const products = [...new Set(soldOptions.map(({ product }) => product))].map((key): TestProduct => {
    const options = soldOptions.filter(({ product }) => product === key);
    return {
      key,
      category: options[0]!.category,
      inventoryType: options[0]!.kept,
      unit: options[0]!.kept === 'product' ? 'gram' : 'item',
      options: options.map(({ name, priceCents, perUnit }) => ({
        key: name,
        priceCents,
        amount: perUnit === 0 ? '1' : String(perUnit),
      })),
      stock: openingStock
        .filter(({ product }) => product === key)
        .map(({ option, label, expires, amount, location, receivedDaysAgo }) => ({
          amount: String(amount),
          location,
          receivedDaysAgo,
          ...(option !== null && { option }),
          ...(label !== null && { label }),
          ...(expires !== null && { expirationDate: expires }),
        })),
    };
  });
  const shop = await createTestShop(context, {
    state: 'OK',
    tz: timeZone,
    drawnFrom,
    products,
    statusOnCreation: { delivery: 'draft', pickup: 'new' },
    taxes: [{ description: 'Sales tax', rate: '10', exemptable: true }],
    deliveryZones: [
      {
        name: 'Bay',
        patterns: ['946*'],
        minimumCents: deliveryMinimumCents,
        feeCents: deliveryFeeCents,
        feeDescription: 'Delivery',
      },
    ],
    paymentTypes: paymentTypes.map(({ name, method, flatCents, basisPoints }) => ({
      name,
      method,
      feeCents: flatCents,
      feeDescription: null,
      feePercent: decimal(basisPoints).div(100).toString(),
      availableDelivery: true,
    })),
  });
  const { organizationId } = shop;
  await setLoyaltyProgram(context, testOrigin, organizationId, '1');
  await addDiscount(context, organizationId, {
    kind: 'line',
    type: 'percent',
    amount: '10',
    targets: { categoryIds: [shop.categoryId('Edibles')] },
  });
  await addDiscount(context, organizationId, {
    kind: 'order',
    type: 'flat',
    amount: String(codeCents),
    codes: [code],
    usesTotal: codeUses,
  });
  const others = await Promise.all(
    ['second', 'third'].map(async () => {
      const integrator = await createTestIntegrator(context);
      return (await createTestKeys(context, organizationId, integrator)).keys;
    }),
  );
  const pages = await createTestKeys(context, organizationId, await createTestIntegrator(context), {
    permissions: ['create-orders', 'menu'],
    origins: [webShopOrigin],
  });
  const { consumerKey, clientKey } = await createSandbox(context, testOrigin, shop.integrator);
  return {
    shop,
    keys: [shop.keys, ...others],
    page: { keys: { clientKey: pages.keys.clientKey }, headers: { origin: webShopOrigin } },
    sandboxKeys: { consumerKey, clientKey },
  };
}
