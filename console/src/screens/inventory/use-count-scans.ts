import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { messageOf } from '../../parts/load-failure.tsx';
import { sameProductCode, significantDigits } from '../../scanner/scan-codes.ts';
import { sayOfScan } from '../../scanner/scanner.ts';
import { t } from '../../words/words.ts';
import { itemName, type StockLevel } from './stock-words.ts';

interface Scanned {
  /** The line that was scanned last. */
  readonly atHand: StockLevel | null;
  /** Why the last scan added nothing. */
  readonly missed: string | null;
  /** The lines that the last code may mean, if there are several. */
  readonly choices: readonly StockLevel[] | null;
}

const nothing: Scanned = { atHand: null, missed: null, choices: null };

/** Scans of a count on a phone: each adds one to its line. */
export function useCountScans(
  locationId: number,
  rows: readonly StockLevel[],
  onOneMore: (level: StockLevel) => void,
) {
  const [scanned, setScanned] = useState(nothing);
  const miss = (missed: string, choices: readonly StockLevel[] | null = null) => {
    setScanned((before) => ({ ...before, missed, choices }));
    sayOfScan(missed);
  };
  const take = async (code: string) => {
    try {
      const known = rows.filter((level) => isOf(level, code));
      const [level, ...others] = known.length > 0 ? known : await askFor(locationId, code);
      if (!level) return miss(t`Code ${code} has no stock at this location.`);
      if (others.length > 0) {
        return miss(t`Several lines have this code. Choose the package below.`, [level, ...others]);
      }
      onOneMore(level);
      setScanned({ atHand: level, missed: null, choices: null });
      sayOfScan(t`${itemName(level)}: one more.`);
    } catch (error) {
      miss(t`Code ${code} could not be looked up. Scan it again. ${messageOf(error)}`);
    }
  };
  return {
    ...scanned,
    take: (code: string) => void take(code),
    /** Another line was counted by hand. */
    choose: (level: StockLevel) => setScanned({ atHand: level, missed: null, choices: null }),
    showAll: () => setScanned((before) => ({ ...before, choices: null, missed: null })),
    forget: () => setScanned(nothing),
  };
}

function isOf({ upc, packageLabel }: StockLevel, code: string): boolean {
  return packageLabel?.toUpperCase() === code.toUpperCase() || (upc !== null && sameProductCode(upc, code));
}

/** Stock that is kept for a whole product has the codes of its options; only the service knows them. */
async function askFor(locationId: number, code: string): Promise<readonly StockLevel[]> {
  const query = { locationId, search: significantDigits(code) };
  const levels = await dataOf(api.GET('/staff/v1/inventory', { params: { query } }));
  const exact = levels.filter((level) => isOf(level, code));
  return exact.length > 0 ? exact : levels.filter(({ productOptionId }) => productOptionId === null);
}
