import { type Decimal, decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { FedPackageRow } from './package-queries.ts';
import type { SentPackageDetails } from './package-schemas.ts';
import {
  convertedAmount,
  type StockedGoods,
  stockDecimals,
  stockUnitOf,
  unitFactor,
} from './package-units.ts';

/** The package of a reception: an existing one, or one by label, which is created if there is none. */
type ReceivingPackage =
  | { readonly id: number }
  | { readonly label: string; readonly details: SentPackageDetails };

/** An incoming amount. */
export interface StockReception {
  /** Id of the row that causes it: one reception, one ledger entry. */
  readonly causeId: number;
  readonly productId: number;
  /** Null when stock is not kept per option. */
  readonly productOptionId: number | null;
  readonly locationId: number;
  readonly amount: Decimal;
  /** The unit of the amount, as the package or the list of units names it; null: units of stock. */
  readonly unit: string | null;
  /** Dollars per unit of stock, as decimal text. */
  readonly costPerUnit: string;
  /** The cost is that of one `unit`, as the amount is. */
  readonly costsPerSentUnit?: true;
  readonly package: ReceivingPackage | null;
  /** Units of stock in one unit of the package; null: as the units say, or as before (D86). */
  readonly multiplier: string | null;
  /** Whether more than the package was announced with is meant. */
  readonly confirmsExcess: boolean;
  /** The path of a field in the request: `[2].amount`. */
  readonly pathOf: (field: string) => string;
}

/** A reception with its amount as stock. */
export interface MeasuredReception extends StockReception {
  /** In units of stock. */
  readonly stock: Decimal;
  /** What it adds to its package, in the package's unit; null without a package. */
  readonly inPackage: { readonly amount: Decimal; readonly unit: string; readonly multiplier: string } | null;
}

/**
 * Converts amounts to units of stock (D86). A new package takes the unit of the first amount that is put in it. Fails
 * with INVALID_PARAMS: units of different kinds without a factor.
 */
export function measureReceptions(
  receptions: readonly StockReception[],
  products: ReadonlyMap<number, StockedGoods>,
  fed: readonly FedPackageRow[],
): readonly MeasuredReception[] {
  const byId = new Map(fed.map((row) => [row.id, row]));
  const byLabel = new Map(fed.map((row) => [row.label, row]));
  const unitOfNew = new Map<string, string>();
  return receptions.map((reception) => {
    const { package: named, amount, unit, pathOf } = reception;
    if (named === null) return { ...reception, stock: amount, inPackage: null };
    const stockUnit = stockUnitOf(products.get(reception.productId)!);
    const row = 'id' in named ? byId.get(named.id) : byLabel.get(named.label);
    const first = 'label' in named ? unitOfNew.get(named.label) : undefined;
    const packageUnit = row?.unit ?? first ?? unit ?? stockUnit;
    if ('label' in named) unitOfNew.set(named.label, packageUnit);
    const known = row?.status === 'received' ? row.multiplier : null;
    const factor = unitFactor(packageUnit, stockUnit, reception.multiplier, known, pathOf('multiplier'));
    const { multiplier } = factor;
    if (unit === null) {
      const inPackage = amount.div(multiplier).round(stockDecimals, 1);
      return { ...reception, stock: amount, inPackage: { amount: inPackage, unit: packageUnit, multiplier } };
    }
    const { stock, ofPackage } = convertedAmount(amount, unit, packageUnit, factor, pathOf);
    const costPerUnit = reception.costsPerSentUnit
      ? decimalText(amount.times(reception.costPerUnit).div(stock).round(costDecimals))
      : reception.costPerUnit;
    return {
      ...reception,
      costPerUnit,
      stock,
      inPackage: { amount: ofPackage, unit: packageUnit, multiplier },
    };
  });
}

/** Decimals of costs (D4). */
const costDecimals = 6;

/** Conversions round each reception; this many decimals are told apart. */
const comparedDecimals = stockDecimals - 1;

/**
 * More than a package was announced with, by its manifest or when it was added, must be meant: a digit too many is
 * stock that is not there. Fails with MORE_THAN_ANNOUNCED unless each reception of the package confirms it.
 */
export function refuseExcess(row: FedPackageRow, received: Decimal, all: readonly MeasuredReception[]): void {
  const doubtful = all.find(({ confirmsExcess }) => !confirmsExcess);
  const [first] = all;
  if (row.announced_amount === null || doubtful === undefined || !first?.inPackage) return;
  const { multiplier, unit } = first.inPackage;
  const total = all.reduce((sum, { stock }) => sum.plus(stock), received);
  const announced = decimal(row.announced_amount);
  if (total.lte(roundUp(announced.times(multiplier), comparedDecimals))) return;
  const shown = (stock: Decimal) => decimalText(stock.div(multiplier).round(stockDecimals, 1));
  const meta = {
    announced: decimalText(announced),
    received: shown(received),
    amount: shown(total.minus(received)),
    unit,
  };
  const before = received.eq(zero) ? '' : `, and ${meta.received} were received before`;
  throw failure(
    'MORE_THAN_ANNOUNCED',
    `${doubtful.pathOf('amount')} is more than the package was announced with: ${meta.amount} of ${meta.announced} ${unit}${before}. Send ${doubtful.pathOf('confirmExcess')} if that is meant.`,
    meta,
  );
}
