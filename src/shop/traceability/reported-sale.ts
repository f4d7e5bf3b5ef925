import type { ReceiptFlags, SoldGoods } from '../../engines/state-reports/receipt-of-sale.ts';
import { connectionAt } from './connection-facts.ts';
import type { ConnectionRow } from './connection-queries.ts';

/** What a line of an order took from stock, without what came back. */
export interface ReportedPart {
  readonly locationId: number;
  /** 0: stock without a package. */
  readonly packageId: number;
  readonly packageLabel: string | null;
  readonly packageUnit: string | null;
  /** In units of stock, as decimal text; above zero. */
  readonly amount: string;
}

/** A fulfilled order, as the state's system is told of it. */
export interface ReportedSale {
  readonly orderId: string;
  readonly orderNumber: number;
  readonly soldAtMs: number;
  readonly isMedical: boolean;
  readonly customerId: number | null;
  /** The trip that took it along last; null: none did. */
  readonly tripId: number | null;
  readonly goods: readonly (Omit<SoldGoods, 'parts'> & { readonly parts: readonly ReportedPart[] })[];
}

/** The goods with the parts that are at the locations of a connection. */
export function goodsOf(
  { goods }: ReportedSale,
  connections: readonly ConnectionRow[],
  connection: ConnectionRow,
  multipliers: ReadonlyMap<number, string>,
): SoldGoods[] {
  return goods.flatMap(({ parts, amountCents, ...rest }) => {
    const isHere = ({ locationId }: ReportedPart) => connectionAt(connections, locationId) === connection;
    const here = parts.filter(isHere);
    // What left several licenses with one line is reported by the first of them, as a whole.
    if (here.length === 0 || connectionAt(connections, parts[0]!.locationId) !== connection) return [];
    return [
      {
        ...rest,
        amountCents,
        parts: parts.map(({ packageId, packageLabel, packageUnit, amount }) => ({
          ...{ label: packageLabel, unit: packageUnit, amount },
          multiplier: multipliers.get(packageId) ?? '1',
        })),
      },
    ];
  });
}

/** The flags that receipts need, as the last probe read them. */
export function flagsOf({ flags, system }: ConnectionRow): ReceiptFlags {
  const flag = (name: string) => (typeof flags[name] === 'boolean' ? flags[name] : null);
  return {
    sellsToConsumers: flag('CanSellToConsumers'),
    sellsToPatients: flag('CanSellToPatients'),
    tellsMoney: system === 'ccrs-file',
  };
}
