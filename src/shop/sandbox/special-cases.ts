/**
 * What every sandbox has for the cases that an integration must handle (D60), as data. Days count from the day on which the
 * sandbox is made or reset.
 */

/** A case, with the customer or the product that brings it about. */
export interface SpecialCase {
  readonly case: string;
  readonly about: string;
  readonly customerId: number | null;
  readonly email: string | null;
  readonly productId: number | null;
  readonly productOptionId: number | null;
}

/** The member of staff who plays the organization's side. Without a password, this member cannot sign in. */
export const counterName = {
  email: 'counter@sandbox.example.com',
  firstName: 'Sandbox',
  lastName: 'Counter',
} as const;

interface CaseCustomer {
  readonly case: string;
  readonly about: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Added to the birthday of a person who is 21 today; negative: older. */
  readonly bornDaysLater: number;
  readonly medicalExpiresInDays: number | null;
}

export const caseCustomers: readonly CaseCustomer[] = [
  {
    case: 'customer',
    about: 'An adult without anything special',
    ...{ firstName: 'Marisol', lastName: 'Okafor', email: 'adult@sandbox.example.com' },
    ...{ bornDaysLater: -4_000, medicalExpiresInDays: null },
  },
  {
    case: 'medical',
    about: 'A patient, exempt from the sales tax; the card expires in 60 days',
    ...{ firstName: 'Priya', lastName: 'Lindqvist', email: 'medical@sandbox.example.com' },
    ...{ bornDaysLater: -6_000, medicalExpiresInDays: 60 },
  },
  {
    case: 'under-age',
    about: 'Turns 21 in 30 days: refused with CUSTOMER_UNDERAGE until then',
    ...{ firstName: 'Devon', lastName: 'Castellan', email: 'under-age@sandbox.example.com' },
    ...{ bornDaysLater: 30, medicalExpiresInDays: null },
  },
  {
    case: 'at-the-limit',
    about:
      'Has bought 8 g of concentrate, all that 30 days allow: more is refused with PURCHASE_LIMIT_EXCEEDED, until 30 days are over',
    ...{ firstName: 'Ines', lastName: 'Harrow', email: 'at-the-limit@sandbox.example.com' },
    ...{ bornDaysLater: -5_000, medicalExpiresInDays: null },
  },
];

/** The case of the customer who has bought all that the limit allows, and of the goods. */
export const limitedCase = { customer: 'at-the-limit', product: 'limited' } as const;

interface CaseProduct {
  readonly case: string;
  readonly about: string;
  readonly name: string;
  readonly category: 'Flower' | 'Concentrates' | 'Accessories';
  readonly priceCents: number;
  readonly salesPriceCents?: number;
  /** The cannabis in one: grams of flower, milligrams of concentrate; null: none. */
  readonly content: string | null;
  /** Absent: not counted, never sold out. */
  readonly stock?: string;
  readonly expiresInDays?: number;
  readonly isActive?: false;
}

export const caseProducts: readonly CaseProduct[] = [
  {
    case: 'product',
    about: 'Sold as usual',
    ...{ name: 'Harbor Haze', category: 'Flower', priceCents: 3_500, content: '3.5', stock: '100000' },
  },
  {
    case: 'on-sale',
    about: 'Its sale price is lower than its price',
    ...{ name: 'Pier Nine Kush', category: 'Flower', priceCents: 4_000, salesPriceCents: 2_800 },
    ...{ content: '3.5', stock: '100000' },
  },
  {
    case: 'sold-out',
    about: 'None left: refused with OUT_OF_STOCK',
    ...{ name: 'Gone Again Gelato', category: 'Flower', priceCents: 4_500, content: '3.5', stock: '0' },
  },
  {
    case: 'last-one',
    about: 'One left: the second order is refused with OUT_OF_STOCK',
    ...{ name: 'Last Call Diesel', category: 'Flower', priceCents: 3_800, content: '3.5', stock: '1' },
  },
  {
    case: 'expiring',
    about: 'Its only package expires in 10 days: refused with OUT_OF_STOCK from then on',
    ...{ name: 'Fresh Tide Rosin', category: 'Concentrates', priceCents: 5_200, content: '500' },
    ...{ stock: '100000', expiresInDays: 10 },
  },
  {
    case: limitedCase.product,
    about: 'Concentrate of 1 g: a customer may buy 8 g in 30 days',
    ...{
      name: 'Measured Wax',
      category: 'Concentrates',
      priceCents: 2_400,
      content: '1000',
      stock: '100000',
    },
  },
  {
    case: 'free',
    about: 'Costs nothing',
    ...{ name: 'Matchbook', category: 'Accessories', priceCents: 0, content: null },
  },
  {
    case: 'off-the-menu',
    about: 'Not active: refused with PRODUCT_IS_INACTIVE',
    ...{ name: 'Retired Orchard', category: 'Flower', priceCents: 3_000, content: '3.5', stock: '100' },
    isActive: false,
  },
];

/** What the terms of a sandbox change with time. */
export const scheduled = {
  /** The sales tax rises. */
  taxRisesInDays: 90,
  salesTaxRates: ['9.25', '10.25'],
  /** 20 % off everything, for seven days. */
  saleStartsInDays: 14,
  saleEndsInDays: 21,
  salePercent: '20',
  /** 10 % off with this code, always. */
  code: 'SANDBOX10',
} as const;
