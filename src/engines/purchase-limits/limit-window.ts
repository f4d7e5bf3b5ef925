import { addDays } from '../../kernel/local-time.ts';

/** The window of a limit, in local days of the organization (D36). */
export type LimitWindow =
  | { readonly kind: 'transaction' }
  | { readonly kind: 'local-day' }
  | { readonly kind: 'rolling-days'; readonly days: number }
  | { readonly kind: 'calendar-month' };

/**
 * The first local day whose purchases count today; null when no earlier purchase does. Rolling days include today: of
 * 14, the first is 13 days ago.
 */
export function firstDayOfWindow(window: LimitWindow, today: string): string | null {
  switch (window.kind) {
    case 'transaction':
      return null;
    case 'local-day':
      return today;
    case 'rolling-days':
      return addDays(today, 1 - window.days);
    case 'calendar-month':
      return `${today.slice(0, 'YYYY-MM'.length)}-01`;
  }
}

/** The maximum number of local days, including today, in a window; 0 when no earlier purchase counts. */
export function daysOfWindow(window: LimitWindow): number {
  switch (window.kind) {
    case 'transaction':
      return 0;
    case 'local-day':
      return 1;
    case 'rolling-days':
      return window.days;
    case 'calendar-month':
      return 31;
  }
}
