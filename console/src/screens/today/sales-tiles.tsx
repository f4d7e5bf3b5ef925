import { dollars, grouped } from '../../parts/dollars.ts';
import { timeOfDay } from '../../parts/shop-moment.ts';
import { plural, t } from '../../words/words.ts';
import { changeInWords } from '../reports/amount-change.ts';
import { Quiet, Tile } from './tile.tsx';
import classes from './today.module.css';
import type { Today } from './today-data.ts';

type Row = Today['hours'][number];
type Loaded = { readonly data: Today | undefined };

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const nothing = { net: 0, comparedNet: 0, orders: 0 };

/** The sales of the day by hour, beside the same day of the week before. A location has its sum. */
export function SalesByHour({
  data,
  hour,
  former,
  location,
}: Loaded & {
  /** The hour it is in the shop: `16`. */
  readonly hour: string;
  /** The day of the week. */
  readonly former: string;
  readonly location: { readonly value: string; readonly label: string } | null;
}) {
  const days = data ? `&from=${data.day}&to=${data.day}` : '';
  const sold = location === null ? undefined : data?.locations.find(({ key }) => key === location.value);
  const shown = location === null ? data?.total : { ...nothing, ...sold };
  return (
    <Tile
      size="wide"
      title={location === null ? t`Sales by hour` : t`Sales by hour, all locations`}
      to={`/reports?by=hour${days}`}
      isLoading={data === undefined}
      figure={shown && dollars(shown.net)}
      hint={
        data &&
        shown &&
        (location === null
          ? [
              ordersInWords(data.total.orders),
              comparison(data.hours, hour, former, data.total.comparedNet),
            ].join(' · ')
          : t`from ${location.label}; last ${former} ${dollars(shown.comparedNet)} in all`)
      }
    >
      {data && <HourBars rows={data.hours} hour={hour} former={former} />}
    </Tile>
  );
}

/** `+12% by 4:00 PM against last Tuesday ($3,729.00 in all)`: of whole hours, because the hour that runs is not over. */
function comparison(rows: readonly Row[], hour: string, former: string, all: number): string {
  if (all === 0) return t`nothing sold last ${former}`;
  const over = rows.filter(({ key }) => key < hour);
  const sum = (of: 'net' | 'comparedNet') => over.reduce((total, row) => total + row[of], 0);
  const [net, comparedNet] = [sum('net'), sum('comparedNet')];
  const whole = t`${dollars(all)} in all`;
  if (comparedNet <= 0) return t`last ${former} ${whole}`;
  return t`${changeInWords(net, comparedNet)} by ${timeOfDay(`${hour}:00`)} against last ${former} (${whole})`;
}

function HourBars({ rows, hour, former }: { rows: readonly Row[]; hour: string; former: string }) {
  const keys = rows.map(({ key }) => key);
  const first = [...keys, hour, '09'].sort()[0]!;
  const last = [...keys, hour, '18'].sort().at(-1)!;
  const shown = hoursOfDay.filter((it) => it >= first && it <= last);
  const most = Math.max(1, ...rows.flatMap(({ net, comparedNet }) => [net, comparedNet]));
  const height = (cents: number) => `${Math.max(0, Math.round((cents * 1000) / most) / 10)}%`;
  return (
    <>
      <ol className={classes.hours} aria-label={t`Net sales by hour`}>
        {shown.map((key) => {
          const { net, comparedNet, orders } = rows.find((row) => row.key === key) ?? nothing;
          const words = t`${timeOfDay(`${key}:00`)}: ${dollars(net)}, ${ordersInWords(orders)}; last ${former} ${dollars(comparedNet)}`;
          return (
            <li key={key} className={classes.hour} data-now={key === hour || undefined} title={words}>
              <span className="unseen">{words}</span>
              <span className={classes.bars} aria-hidden>
                <span className={classes.former} style={{ height: height(comparedNet) }} />
                <span className={classes.present} style={{ height: height(net) }} />
              </span>
              <span className={classes.hourName} aria-hidden>
                {shortHour(key)}
              </span>
            </li>
          );
        })}
      </ol>
      <div className={classes.legend}>
        <span data-series="present">{t`Today`}</span>
        <span data-series="former">{t`Last ${former}`}</span>
      </div>
    </>
  );
}

/** `16` → `4p`. */
function shortHour(key: string): string {
  return `${Number(key) % 12 || 12}${Number(key) < 12 ? 'a' : 'p'}`;
}

export function ordersInWords(orders: number): string {
  return plural(orders, { one: t`1 order`, other: t`${grouped(String(orders))} orders` });
}

const parts = {
  payments: { title: t`Payment types`, by: 'payment', empty: t`Nothing paid yet.` },
  staff: { title: t`Staff`, by: 'staff', empty: t`Nothing sold yet.` },
} as const;

/** The money of the day by payment type, with taxes and fees, or the net sales by staff; most first. */
export function SalesParts({ data, part, isOfAll }: Loaded & { part: keyof typeof parts; isOfAll: boolean }) {
  const { title, by, empty } = parts[part];
  const days = data ? `&from=${data.day}&to=${data.day}` : '';
  const isMoney = part === 'payments';
  const rows = (data?.[part] ?? []).filter(
    ({ orders, paidBack }) => orders > 0 || (isMoney && paidBack !== 0),
  );
  // Of payment types the money, as drawers have it.
  const amountOf = (row: Row) => (isMoney ? row.paid - row.paidBack : row.net);
  const most = Math.max(1, ...rows.map(amountOf));
  return (
    <Tile
      title={isOfAll ? t`${title}, all locations` : title}
      to={`/reports?by=${by}${days}`}
      isLoading={data === undefined}
    >
      {rows.length === 0 && <Quiet>{empty}</Quiet>}
      <ul className={classes.rows}>
        {rows.slice(0, 6).map((row) => (
          <li key={row.key} className={classes.part}>
            <span className={classes.name}>{row.name}</span>
            <span className="numbers">{dollars(amountOf(row))}</span>
            <span className={classes.share} aria-hidden>
              <span style={{ width: `${Math.max(0, Math.round((amountOf(row) * 100) / most))}%` }} />
            </span>
            <span className={classes.note}>
              {t`${ordersInWords(row.orders)}; a week ago ${dollars(isMoney ? row.comparedPaid : row.comparedNet)}`}
            </span>
          </li>
        ))}
      </ul>
    </Tile>
  );
}
