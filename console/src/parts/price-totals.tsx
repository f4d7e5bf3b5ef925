import { t } from '../words/words.ts';
import { Money } from './money.tsx';
import classes from './price-totals.module.css';
import { type PricedAmounts, totalRows, withOneTax } from './total-rows.ts';

/** The price from goods to total, one row per addition or reduction; `isBrief`: one row for all taxes. */
export function PriceTotals({
  amounts,
  label = t`Total`,
  isBrief = false,
}: {
  amounts: PricedAmounts;
  label?: string;
  isBrief?: boolean;
}) {
  const rows = totalRows(amounts);
  return (
    <table className={classes.totals}>
      <tbody>
        {(isBrief ? withOneTax(rows) : rows).map(({ label, note, cents, isQuiet }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and two can be alike
          <tr key={index} className={isQuiet ? classes.quiet : undefined}>
            <th scope="row">
              {label}
              {note && ` (${note})`}
            </th>
            <td>
              <Money cents={cents} />
            </td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">{label}</th>
          <td>
            <Money cents={amounts.customerGrandTotal} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
