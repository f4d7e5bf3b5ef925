import { dollars } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';
import classes from './part-bars.module.css';

/** More bars do not fit; the table has all. */
const barsMax = 12;

interface PartBar {
  readonly id: string;
  readonly name: string;
  readonly net: number;
  /** Null: not compared. */
  readonly before: number | null;
}

/** Net sales of the parts of a period, most first, each with its bar, and that of the period it is compared with. */
export function PartBars({ label, bars }: { label: string; bars: readonly PartBar[] }) {
  const shown = bars.slice(0, barsMax);
  const most = Math.max(1, ...shown.flatMap(({ net, before }) => [net, before ?? 0]));
  const width = (cents: number) => `${Math.max(0, Math.round((cents * 1000) / most) / 10)}%`;
  return (
    <ol className={classes.bars} aria-label={label}>
      {shown.map(({ id, name, net, before }) => (
        <li key={id} className={classes.bar}>
          <span className={classes.name}>{name}</span>
          <span className={classes.tracks} aria-hidden>
            <span className={classes.net} style={{ width: width(net) }} />
            {before !== null && <span className={classes.before} style={{ width: width(before) }} />}
          </span>
          <span className="numbers">
            {dollars(net)}
            {before !== null && <span className={classes.former}>{t` ${dollars(before)} before`}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
