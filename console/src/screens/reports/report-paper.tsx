import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Column } from '../../parts/data-table.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { shopTime } from '../../parts/shop-time.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from './report-paper.module.css';

/** A report on screen and on paper. On paper it has `about` in place of the controls. */
export function ReportPaper({ about, children }: { about: string; children: ReactNode }) {
  const { organization } = useSession();
  return (
    <div className={classes.report}>
      <p className={classes.about}>
        {t`${organization.name}. ${about} Printed ${shopTime(shopNow(), organization.tz, 'full')}.`}
      </p>
      {children}
    </div>
  );
}

/** What has no use on paper. */
export function OnScreen({ children }: { children: ReactNode }) {
  return <div className={classes.onScreen}>{children}</div>;
}

/** All rows of a table, on paper only: the table on screen has those in sight. */
export function PaperTable<Row extends { readonly id: string | number }>({
  label,
  rows,
  columns,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  const isPrinting = usePrinting();
  if (!isPrinting) return null;
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" data-align={column.align}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map((column) => (
              <td key={column.id} data-align={column.align}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** True while the browser lays the page out for paper. */
function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    // The paper is laid out when the listeners have returned.
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
