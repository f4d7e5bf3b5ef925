import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Move = Schema['Move'];
type Check = Move['checks'][number];
type Upload = Schema['MoveFile'];

/** The move is one query. */
export const moveKey = ['move'];

export const statusWords: Readonly<Record<Move['status'], string>> = {
  open: t`The previous system still sells. Load its files and compare as often as you like.`,
  frozen: t`The previous system has stopped selling. Load its last files, compare, then sell here.`,
  live: t`Your shop sells here. You can go back until the first report to the state.`,
  returned: t`Your shop went back to the previous system.`,
  canceled: t`The move was canceled.`,
};

export const stepsOf = {
  open: ['freeze', 'cancel'],
  frozen: ['go', 'thaw', 'cancel'],
  live: ['back'],
  returned: [],
  canceled: [],
} as const satisfies Record<Move['status'], readonly string[]>;

export const stepWords = {
  freeze: t`The previous system has stopped`,
  thaw: t`The previous system sells again`,
  go: t`Sell here from now on`,
  back: t`Go back to the previous system`,
  cancel: t`Cancel the move`,
};

export const resultWords: Readonly<Record<Check['result'], string>> = {
  passed: t`Equal`,
  failed: t`Different`,
  missing: t`No file`,
};

export const resultColors: Readonly<Record<Check['result'], string>> = {
  passed: 'teal',
  failed: 'red',
  missing: 'yellow',
};

export const checkWords: Readonly<Record<Check['check'], string>> = {
  rows: t`Rows of the files`,
  tags: t`Tags at the state`,
  quantities: t`Quantities at the state`,
  'stock-value': t`Value of the stock`,
  'product-links': t`Packages with a product`,
  prices: t`Sum of prices`,
  options: t`Sizes on sale`,
  customers: t`Customers`,
  consent: t`Consent to marketing`,
  points: t`Points`,
  credit: t`Store credit`,
  'day-totals': t`Totals of each day`,
  closings: t`Closed days`,
  refunds: t`Refunds with their ticket`,
  'one-reporter': t`One system reports to the state`,
};

export const fileKindWords: Readonly<Record<Upload['kind'], string>> = {
  products: t`Products`,
  packages: t`Packages`,
  customers: t`Customers`,
  vendors: t`Vendors`,
  staff: t`Staff`,
  sales: t`Sales of the previous system`,
  discounts: t`Discounts of the previous system`,
  closings: t`Closed days`,
  state: t`Packages at the state`,
};

/** What became of a file that was read. */
export const runWords: Readonly<Record<NonNullable<Upload['run']>, string>> = {
  check: t`Checked only`,
  trial: t`Tried in the sandbox`,
  load: t`Loaded`,
};

export const uploadWords: Readonly<Record<Upload['status'], string>> = {
  ready: t`Uploaded`,
  loading: t`Loading`,
  done: t`Loaded`,
  failed: t`Not readable`,
};

export const uploadColors: Readonly<Record<Upload['status'], string>> = {
  ready: 'gray',
  loading: 'blue',
  done: 'teal',
  failed: 'red',
};
