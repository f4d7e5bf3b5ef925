import { useSession } from '../session/session.tsx';
import { locale } from '../words/words.ts';
import { shopNow } from './shop-now.ts';

const zoneAliases: Readonly<Record<string, string>> = {
  'US/Mountain': 'America/Denver',
  'US/Central': 'America/Chicago',
  'US/Eastern': 'America/New_York',
};

const styles = {
  time: { hour: 'numeric', minute: '2-digit' },
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  second: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', second: '2-digit' },
  full: {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type TimeStyle = keyof typeof styles;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(tz: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tz} ${JSON.stringify(options)}`;
  const timeZone = zoneAliases[tz] ?? tz;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), { ...options, timeZone });
  formats.set(key, format);
  return format;
}

const onlyYear = { year: 'numeric' } as const;

/** A moment in the shop's time zone, independent of the browser's. A day of another year shows the year. */
export function shopTime(
  iso: string | number | Date,
  tz: string,
  style: TimeStyle,
  nowMs: number = shopNow(),
): string {
  const at = new Date(iso);
  const yearOf = (moment: Date) => formatOf(tz, onlyYear).format(moment);
  const lacksYear = style !== 'time' && yearOf(at) !== yearOf(new Date(nowMs));
  return formatOf(tz, { ...styles[style], ...(lacksYear && onlyYear) }).format(at);
}

/** A moment in the shop's time zone, in full with the zone on hover. `null` shows a dash. */
export function ShopTime({ at, style = 'short' }: { at: string | null | undefined; style?: TimeStyle }) {
  const { tz } = useSession().organization;
  if (!at) return '–';
  return (
    <time dateTime={at} title={shopTime(at, tz, 'full')}>
      {shopTime(at, tz, style)}
    </time>
  );
}
