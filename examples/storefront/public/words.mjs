/* Amounts, times and kinds in words. */

/** `$58.04`. The amounts of the API are whole cents, so no fraction is ever calculated. */
export function dollars(cents) {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}$${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** `$44` where there are no cents: for menus. */
export const shortDollars = (cents) => dollars(cents).replace(/\.00$/, '');

const strains = {
  indica: 'Indica',
  sativa: 'Sativa',
  hybrid: 'Hybrid',
  'hybrid-indica': 'Indica hybrid',
  'hybrid-sativa': 'Sativa hybrid',
  cbd: 'CBD',
};

/** The strain type in words; null: the product has none. */
export const strainWords = (type) => strains[type] ?? null;

/** `27.4–30.7% THC`; null: not measured, or none of it. */
export function potency(product, kind) {
  const field = (name) => product[`${kind}${name}`];
  const unit = field('Unit');
  const [low, high] = [field('AmountRangeLow'), field('AmountRangeHigh')];
  const amount = field('Amount') ?? (low === high ? low : null);
  const range = amount ?? (low !== null && high !== null ? `${low}–${high}` : null);
  if (range === null || unit === null || Number(range) === 0) return null;
  return `${range}${unit === '%' ? '%' : ` ${unit}`} ${kind.toUpperCase()}`;
}

/** Whether the shop is open, in its own time zone: `Open until 9 PM`. */
export function openWords({ hours, tz }, now = new Date()) {
  if (hours.length === 0) return '';
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: tz,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday) + 1;
  const time = `${parts.hour}:${parts.minute}`;
  const today = hours.filter((it) => it.day === day);
  const open = today.find(
    ({ opensAt, closesAt }) => opensAt <= time && (time < closesAt || closesAt <= opensAt),
  );
  if (open) return `Open until ${clockWords(open.closesAt)}`;
  const later = today.find(({ opensAt }) => opensAt > time);
  return later ? `Opens at ${clockWords(later.opensAt)}` : 'Closed for today';
}

/** When cannabis is handed over, in the shop's time zone: `6 AM to 10 PM`; of several windows all hold. Empty: no hours are known. */
export function saleWords({ saleHours }, type) {
  const windows = type === 'delivery' ? saleHours.delivery : saleHours.sale;
  return windows.map(({ from, to }) => `${clockWords(from)} to ${clockWords(to)}`).join(', and ');
}

function clockWords(time) {
  const [hour, minute] = time.split(':').map(Number);
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, '0')}` : ''} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

/** `March 10, 6:05 PM`, in the visitor's time zone. */
export const moment = (timestamp) =>
  new Date(timestamp).toLocaleString('en-US', {
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
