import type { ReactNode } from 'react';
import classes from '../screens/orders/order-print.module.css';

/** A name and what is known of it; null: not a row. What is not known is left out. */
export type LabelFact = readonly [name: string, value: ReactNode] | null;

/** One label, on a page of its own when it is printed. */
export function LabelSheet({
  title,
  head,
  facts,
  notice,
  children,
}: {
  title: string;
  /** Above the title. */
  head: string;
  facts: readonly LabelFact[];
  /** Words of the owner, for the state. */
  notice: string;
  children?: ReactNode;
}) {
  return (
    <article className={`${classes.sheet} ${classes.receipt} ${classes.cut}`} aria-label={title}>
      <p className={classes.small} style={{ textAlign: 'center', margin: 0 }}>
        {head}
      </p>
      <h2 style={{ fontSize: 18, margin: 0, textAlign: 'center' }}>{title}</h2>
      <LabelFacts facts={facts} />
      {children}
      {notice !== '' && (
        <p className={classes.small} style={{ whiteSpace: 'pre-wrap' }}>
          {notice}
        </p>
      )}
    </article>
  );
}

/** The facts of a label, one in a row. */
export function LabelFacts({ facts }: { facts: readonly LabelFact[] }) {
  return (
    <table className={classes.lines}>
      <tbody>
        {facts
          .filter((fact) => fact !== null)
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td data-align="end" style={{ whiteSpace: 'normal' }}>
                {value}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
