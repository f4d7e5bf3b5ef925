import { seededRandom } from '../../../seed/seeded-random.ts';
import type { Json } from './json-rows.ts';
import { refusal } from './state-refusals.ts';
import type { Call, Listed } from './state-route.ts';
import { instantOfWall } from './state-times.ts';

const pageSizeMax = 20;
const dayMicros = 24 * 3_600 * 1_000_000;

interface Window {
  /** Microseconds; both ends included. */
  readonly from: number;
  readonly until: number;
}

/** The reply of a list: window, order, faults, page, envelope. */
export function listReply(
  call: Call,
  rows: readonly Listed[],
  { window, isOrdered }: { readonly window: 'stock' | 'sales' | undefined; readonly isOrdered: boolean },
): Json {
  const page = askedPage(call);
  const wanted = withFaults(call, inWindow(call, rows, window));
  const sorted = isOrdered ? wanted : inOrder(call, wanted);
  if (page === undefined) {
    const { 'no-page': noPage } = call.world.settings;
    const all = sorted.map((row) => row.print());
    if (noPage === 'bare-array') return all;
    if (noPage === 'first-20') return envelope(all.slice(0, pageSizeMax), all.length, 1, pageSizeMax);
    // Nothing was asked to be cut, so everything is one page.
    return envelope(all, all.length, 1, all.length);
  }
  const shown = sorted.slice((page.number - 1) * page.size, page.number * page.size);
  const data = shown.map((row) => row.print());
  if (call.fault?.kind === 'moving-pages') for (const row of shown) row.touch?.();
  return envelope(data, sorted.length, page.number, page.size);
}

/** An empty list has a PageSize of 0, also when pages were asked for. */
function envelope(data: readonly Json[], total: number, page: number, size: number): Json {
  const pageSize = total === 0 ? 0 : size;
  return {
    ...{ Data: data, Total: total, TotalRecords: total, PageSize: pageSize, RecordsOnPage: data.length },
    ...{ Page: page, CurrentPage: page, TotalPages: pageSize === 0 ? 0 : Math.ceil(total / pageSize) },
  };
}

/** Paging is off until pageSize is sent. */
function askedPage({ query, world }: Call): { readonly number: number; readonly size: number } | undefined {
  const sizeText = query.get('pageSize');
  if (sizeText === null) return undefined;
  const size = Number(sizeText);
  const number = Number(query.get('pageNumber') ?? '1');
  if (!Number.isInteger(size) || size < 1)
    throw refusal(400, `The value '${sizeText}' is not valid for pageSize.`);
  if (size > pageSizeMax && world.settings['oversize-page'] === '400') {
    throw refusal(400, `pageSize cannot exceed ${pageSizeMax}`);
  }
  if (!Number.isInteger(number) || number < 0 || (number === 0 && world.settings['page-zero'] === '400')) {
    throw refusal(400, 'pageNumber must be 1 or greater');
  }
  return { number: Math.max(1, number), size: Math.min(size, pageSizeMax) };
}

function inWindow(
  call: Call,
  rows: readonly Listed[],
  kind: 'stock' | 'sales' | undefined,
): readonly Listed[] {
  if (kind === undefined) return rows;
  const { settings } = call.world;
  const window = askedWindow(call, kind);
  if (window !== undefined) {
    return rows.filter(({ changed }) => window.from <= changed && changed <= window.until);
  }
  if (settings['no-window'] === 'last-day') {
    return rows.filter(({ changed }) => changed >= call.world.now() - dayMicros);
  }
  if (settings['no-window'] === 'random-part') {
    return rows.filter(({ id }) => seededRandom(`${call.world.seed} part ${id}`).chance(0.3));
  }
  return rows;
}

function askedWindow(call: Call, kind: 'stock' | 'sales'): Window | undefined {
  const { query, world } = call;
  const [start, end] = [query.get('lastModifiedStart'), query.get('lastModifiedEnd')];
  const hasSalesDates = query.has('salesDateStart') || query.has('salesDateEnd');
  if (kind === 'sales' && hasSalesDates && (start ?? end) !== null) {
    throw refusal(400, 'Last Modified and Sales Date cannot be combined');
  }
  if (start === null && end === null) return undefined;
  if ((start === null || end === null) && world.settings['half-window'] === '400') {
    throw refusal(400, 'lastModifiedStart and lastModifiedEnd must be given together');
  }
  const window = {
    from: start === null ? Number.NEGATIVE_INFINITY : boundOf(call, start),
    until: end === null ? Number.POSITIVE_INFINITY : boundOf(call, end),
  };
  const cap = world.settings[kind === 'sales' ? 'window-cap-sales' : 'window-cap'];
  const width = window.until - window.from;
  if (cap === '24h' && Number.isFinite(width) && width > dayMicros) {
    throw refusal(400, 'Last Modified range cannot exceed 24 hours');
  }
  return window;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2}| \d{2}:\d{2})?$/;

/** The instant of a bound, in microseconds. */
function boundOf({ facility, world }: Call, text: string): number {
  const isFacilityTime = world.settings['date-zone'] === 'facility';
  const time = timePattern.exec(datePattern.test(text) ? `${text}T00:00:00` : text);
  const wall = time?.[1];
  if (wall === undefined || Number.isNaN(Date.parse(`${wall}Z`))) {
    throw refusal(400, `The value '${text}' is not valid.`);
  }
  const offset = time![2];
  // A plus that was not escaped arrives as a blank: the offset is lost, without an error.
  const isLost = offset?.startsWith(' ') === true;
  const isWall = isLost || (offset === undefined && isFacilityTime);
  const ms = isWall ? instantOfWall(wall, facility.zone) : Date.parse(`${wall}${offset ?? 'Z'}`);
  return ms * 1_000 + microsOf(wall);
}

/** What Date.parse leaves out: the digits of a fraction behind the milliseconds. */
function microsOf(wall: string): number {
  const fraction = (wall.split('.')[1] ?? '').padEnd(6, '0');
  return Number(fraction.slice(3, 6));
}

function inOrder({ world }: Call, rows: readonly Listed[]): readonly Listed[] {
  switch (world.settings.order) {
    case 'modified-asc':
      return [...rows].sort((a, b) => a.changed - b.changed || a.id - b.id);
    case 'modified-desc':
      return [...rows].sort((a, b) => b.changed - a.changed || b.id - a.id);
    case 'random':
      return world.draws.shuffle(rows);
    default:
      return [...rows].sort((a, b) => a.id - b.id);
  }
}

function withFaults({ fault }: Call, rows: readonly Listed[]): readonly Listed[] {
  if (fault?.kind === 'partial-list') return rows.filter((_, at) => at % 2 === 0);
  if (fault?.kind === 'double-rows') return rows.flatMap((row, at) => (at % 2 === 0 ? [row] : [row, row]));
  return rows;
}
