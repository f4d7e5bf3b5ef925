import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figures.module.css';

/** The totals of a report side by side; `null` while loading or after a failure. */
export function Figures({
  figures,
  isFailed = false,
}: {
  figures: readonly {
    readonly label: string;
    readonly value: ReactNode | null;
    readonly hint?: string;
    /** Against another period: `+12% from $1,240.00`. */
    readonly change?: string;
  }[];
  isFailed?: boolean;
}) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value, hint, change }) => (
        <div key={label} className={classes.figure} title={hint}>
          <dt>{label}</dt>
          <dd>{value ?? (isFailed ? '–' : <Skeleton height={20} width={96} mt={6} />)}</dd>
          {change && <dd className={classes.change}>{change}</dd>}
        </div>
      ))}
    </dl>
  );
}
