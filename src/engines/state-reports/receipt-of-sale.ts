import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { isoTimestamp, wallTimeAt } from '../../kernel/local-time.ts';
import { splitCents } from './split-cents.ts';

/** What a line of a sale took from a package. */
export interface SoldPart {
  /** Null: stock without a package. */
  readonly label: string | null;
  readonly unit: string | null;
  /** In units of stock, as decimal text; above zero. */
  readonly amount: string;
  /** Units of stock in one unit of the package. */
  readonly multiplier: string;
}

/** A line of a sale, without what came back. */
export interface SoldGoods {
  readonly name: string;
  readonly isCannabis: boolean;
  /** After discounts, without taxes that the price contains. */
  readonly amountCents: number;
  /** For files that tell prices and taxes. */
  readonly money: LineMoney;
  readonly parts: readonly SoldPart[];
}

/** What files tell of a line besides its amount. */
export interface LineMoney {
  /** Before discounts, without taxes. */
  readonly priceCents: number;
  readonly salesTaxCents: number;
  readonly exciseTaxCents: number;
}

export interface SaleFacts {
  readonly soldAtMs: number;
  readonly timeZone: string;
  readonly isMedical: boolean;
  /** Null: no customer is named. */
  readonly customerId: number | null;
  readonly goods: readonly SoldGoods[];
}

/** What the state lets this license do, as far as a receipt needs it. Null: it has not said. */
export interface ReceiptFlags {
  readonly sellsToConsumers: boolean | null;
  readonly sellsToPatients: boolean | null;
  /** Whether its lines tell prices and taxes, too. */
  readonly tellsMoney: boolean;
}

/** What was taken from one package; one line for each label. */
export interface ReceiptLine {
  readonly label: string;
  /** Decimal text in the unit of the package, with at most four decimals. */
  readonly quantity: string;
  readonly unit: string;
  readonly amountCents: number;
  readonly money?: LineMoney;
}

/** A receipt as the state gets it. No lines: nothing was sold, or all of it came back. */
export interface ReceiptContent {
  /** Wall time of the shop. */
  readonly soldAt: string;
  readonly soldAtUtc: string;
  /** The other instant at which clocks show the same; null except in the hour that autumn repeats. */
  readonly alsoReadAs: string | null;
  readonly customerType: 'Consumer' | 'Patient';
  /** The patient, whose number is looked up when the receipt is sent: it is kept nowhere else. Null: none is named. */
  readonly patientId?: number | null;
  readonly lines: readonly ReceiptLine[];
}

/** A receipt, and why the state will not take it; empty: nothing is known against it. */
export interface MadeReceipt {
  readonly content: ReceiptContent;
  readonly problems: readonly string[];
}

/** Decimals of a quantity; no system is known to keep fewer than three. */
const quantityDecimals = 4;

/**
 * The receipt of a sale: cannabis only, each line split over its packages by what it took from them, parts of one package
 * together. Amounts add up to those of the sale, to the cent.
 */
export function receiptOfSale(sale: SaleFacts, flags: ReceiptFlags): MadeReceipt {
  const problems: string[] = [];
  const ofPackage = new Map<string, PackageSum>();
  for (const { name, isCannabis, amountCents, money, parts } of sale.goods) {
    if (!isCannabis) continue;
    if (parts.length === 0 || parts.some(({ label, unit }) => label === null || unit === null)) {
      problems.push(`${name} was sold without the label of a package.`);
      continue;
    }
    const weights = parts.map(({ amount }) => decimal(amount));
    const cents = splitCents(amountCents, weights);
    const split = (name: keyof LineMoney) => (flags.tellsMoney ? splitCents(money[name], weights) : []);
    const [prices, sales, excises] = [split('priceCents'), split('salesTaxCents'), split('exciseTaxCents')];
    for (const [at, part] of parts.entries()) {
      const sum = ofPackage.get(part.label!) ?? emptySum(part.unit!);
      sum.quantity = sum.quantity.plus(decimal(part.amount).div(part.multiplier));
      sum.amountCents += cents[at]!;
      sum.money.priceCents += prices[at] ?? 0;
      sum.money.salesTaxCents += sales[at] ?? 0;
      sum.money.exciseTaxCents += excises[at] ?? 0;
      ofPackage.set(part.label!, sum);
    }
  }
  const wall = wallTimeAt(sale.soldAtMs, sale.timeZone);
  const customerType = sale.isMedical && flags.sellsToPatients !== false ? 'Patient' : 'Consumer';
  if (customerType === 'Consumer' && flags.sellsToConsumers === false) {
    problems.push('The license may not sell to consumers.');
  }
  return {
    content: {
      soldAt: wall.text,
      soldAtUtc: isoTimestamp(sale.soldAtMs),
      alsoReadAs: wall.alsoMs === null ? null : isoTimestamp(wall.alsoMs),
      customerType,
      ...(customerType === 'Patient' && { patientId: sale.customerId }),
      lines: [...ofPackage]
        .map(([label, { unit, quantity, amountCents, money }]) => ({
          label,
          quantity: decimalText(quantity.round(quantityDecimals, 1)),
          unit,
          amountCents,
          ...(flags.tellsMoney && { money }),
        }))
        .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    },
    problems,
  };
}

interface PackageSum {
  readonly unit: string;
  quantity: Decimal;
  amountCents: number;
  readonly money: { priceCents: number; salesTaxCents: number; exciseTaxCents: number };
}

function emptySum(unit: string): PackageSum {
  const money = { priceCents: 0, salesTaxCents: 0, exciseTaxCents: 0 };
  return { unit, quantity: zero, amountCents: 0, money };
}

/** The body that the state's interface takes: numbers are the exact decimal texts. */
export function receiptBody(
  content: ReceiptContent,
  number: string,
  id: number | null,
  patientNumber: string | null = null,
): string {
  const head = {
    ...(id !== null && { Id: id }),
    SalesDateTime: content.soldAt,
    ExternalReceiptNumber: number,
    SalesCustomerType: content.customerType,
    PatientLicenseNumber: patientNumber,
    CaregiverLicenseNumber: null,
    IdentificationMethod: null,
    PatientRegistrationLocationId: null,
  };
  return `[${JSON.stringify(head).slice(0, -1)},"Transactions":${linesText(content.lines)}}]`;
}

/** Lines as the state's interface takes them, as JSON text: numbers are the exact decimal texts. */
export function linesText(lines: readonly ReceiptLine[]): string {
  const texts = lines.map(
    ({ label, quantity, unit, amountCents }) =>
      `{"PackageLabel":${JSON.stringify(label)},"Quantity":${quantity},"UnitOfMeasure":${JSON.stringify(unit)},"TotalAmount":${dollars(amountCents)}}`,
  );
  return `[${texts.join(',')}]`;
}

/** Cents as dollars with two decimals. */
export function dollars(cents: number): string {
  return decimal(cents).div(100).toFixed(2);
}
