import { decimal } from '../../kernel/decimal.ts';
import type { DaySum, FileSums, MoveFile, MoveFileKind } from './sums-of-file.ts';

/** What proves a move, in the order of the work. */
export const checkNames = [
  ...(['rows', 'tags', 'quantities', 'stock-value', 'product-links', 'prices', 'options'] as const),
  ...(['customers', 'consent', 'points', 'credit', 'day-totals', 'closings', 'refunds'] as const),
  'one-reporter',
] as const;
export type CheckName = (typeof checkNames)[number];

/** `missing`: no file says it, so a person signs. */
export const checkResults = ['passed', 'failed', 'missing'] as const;

export interface MoveCheck {
  readonly check: CheckName;
  readonly result: (typeof checkResults)[number];
  /** What the files say. */
  readonly expected: string;
  /** What the shop has. */
  readonly found: string;
  /** What differs, the first of it. */
  readonly differences: readonly string[];
}

/** What the shop has, of this till where that matters. */
export interface ShopSums {
  readonly customers: {
    readonly accounts: number;
    readonly points: string;
    readonly creditCents: number;
    readonly consents: number;
  };
  readonly days: Readonly<Record<string, DaySum>>;
  readonly goods: {
    readonly options: number;
    readonly priceCents: number;
    readonly withoutPrice: number;
    readonly twice: number;
  };
  readonly tags: Readonly<
    Record<string, { readonly quantity: string; readonly hasProduct: boolean; readonly value: string }>
  >;
  /** Tickets that give another one back, and the numbers of those whose ticket is not here. */
  readonly refunds: { readonly named: number; readonly found: number; readonly lost: readonly string[] };
  /** Connections of this shop that report to the state. */
  readonly reporters: number;
  readonly isLive: boolean;
}

const differencesShown = 20;

/** Compares the files with the shop. Before the move is live, no connection of this shop may report: the former till does. */
export function judgeMove(files: readonly MoveFile[], shop: ShopSums): MoveCheck[] {
  const of = (kind: MoveFileKind) => files.filter((file) => file.kind === kind);
  const [products, customers, sales, state] = (['products', 'customers', 'sales', 'state'] as const).map(of);
  return [
    rows(files),
    ...packages(state!, shop),
    stockValue(of('packages'), shop),
    equal('prices', products!, cents(sum(products!, 'priceCents')), cents(shop.goods.priceCents), [
      ...(shop.goods.withoutPrice > 0 ? [`${shop.goods.withoutPrice} options cost nothing`] : []),
    ]),
    equal('options', products!, String(sum(products!, 'options')), String(shop.goods.options), [
      ...(shop.goods.twice > 0 ? [`${shop.goods.twice} options are there twice`] : []),
    ]),
    equal('customers', customers!, String(loaded(customers!)), String(shop.customers.accounts)),
    consents(customers!, shop),
    equal('points', customers!, points(customers!), decimal(shop.customers.points).toString()),
    equal('credit', customers!, cents(sum(customers!, 'creditCents')), cents(shop.customers.creditCents)),
    dayTotals(sales!, shop),
    closings(of('closings'), shop),
    refunds(sales!, shop),
    reporter(shop),
  ];
}

function rows(files: readonly MoveFile[]): MoveCheck {
  const total = (of: (file: MoveFile) => number) => files.reduce((all, file) => all + of(file), 0);
  const [read, kept] = [
    total((file) => file.read),
    total((file) => file.created + file.known + file.refused),
  ];
  const refused = files.filter((file) => file.refused > 0);
  return {
    check: 'rows',
    result: files.length === 0 ? 'missing' : read === kept && refused.length === 0 ? 'passed' : 'failed',
    expected: `${read} read`,
    found: `${kept} loaded, known or refused`,
    differences: refused.map((file) => `${file.name}: ${file.refused} refused`).slice(0, differencesShown),
  };
}

function packages(state: readonly MoveFile[], shop: ShopSums): MoveCheck[] {
  const theirs: Record<string, string> = Object.assign({}, ...state.map(({ sums }) => sums.tags));
  const own = Object.keys(shop.tags);
  const lost = Object.keys(theirs).filter((tag) => shop.tags[tag] === undefined);
  const added = own.filter((tag) => theirs[tag] === undefined);
  const other = own.filter(
    (tag) => theirs[tag] !== undefined && !decimal(theirs[tag]).eq(shop.tags[tag]!.quantity),
  );
  const loose = own.filter((tag) => !shop.tags[tag]!.hasProduct);
  const [expected, found] = [`${Object.keys(theirs).length} tags`, `${own.length} tags`];
  const by = (check: CheckName, differences: string[]): MoveCheck => ({
    ...{ check, expected, found, differences: differences.slice(0, differencesShown) },
    result: state.length === 0 ? 'missing' : differences.length === 0 ? 'passed' : 'failed',
  });
  return [
    by('tags', [
      ...lost.map((tag) => `${tag} is at the state only`),
      ...added.map((tag) => `${tag} is here only`),
    ]),
    by(
      'quantities',
      other.map((tag) => `${tag}: ${theirs[tag]} at the state, ${shop.tags[tag]!.quantity} here`),
    ),
    {
      ...{ check: 'product-links', expected: '0 packages without a product', found: `${loose.length}` },
      ...{ result: loose.length === 0 ? 'passed' : 'failed', differences: loose.slice(0, differencesShown) },
    },
  ];
}

/** Costs may have more decimals than money, so each package may be a cent off. */
function stockValue(files: readonly MoveFile[], { tags }: ShopSums): MoveCheck {
  const theirs = files.reduce((total, { sums }) => total.plus(sums.stockValue), decimal('0'));
  const here = Object.values(tags);
  const ours = here.reduce((total, { value }) => total.plus(value), decimal('0'));
  const isEqual = theirs.minus(ours).abs().times(100).lte(here.length);
  return {
    ...{ check: 'stock-value', expected: `$${theirs.toFixed(2)}`, found: `$${ours.toFixed(2)}` },
    ...{ result: files.length === 0 ? 'missing' : isEqual ? 'passed' : 'failed', differences: [] },
  };
}

/** Each day that the former till closed, within a cent. */
function closings(files: readonly MoveFile[], shop: ShopSums): MoveCheck {
  const days = new Map(files.flatMap(({ sums }) => Object.entries(sums.closings))).entries();
  const closed = [...days].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const differences = closed.flatMap(([day, said]) => {
    const here = shop.days[day] ?? { sales: 0, netCents: 0, taxCents: 0 };
    const isEqual =
      Math.abs(said.netCents - here.netCents) <= 1 &&
      Math.abs(said.taxCents - here.taxCents) <= 1 &&
      (said.sales === null || said.sales === here.sales);
    const text = (of: Omit<DaySum, 'sales'>) => `${cents(of.netCents)} net, ${cents(of.taxCents)} tax`;
    return isEqual ? [] : [`${day}: ${text(said)} closed there, ${text(here)} here`];
  });
  return {
    check: 'closings',
    result: files.length === 0 ? 'missing' : differences.length === 0 ? 'passed' : 'failed',
    ...{
      expected: `${closed.length} closed days`,
      found: `${closed.length - differences.length} equal here`,
    },
    differences: differences.slice(0, differencesShown),
  };
}

function consents(files: readonly MoveFile[], { customers }: ShopSums): MoveCheck {
  const said = sum(files, 'consents');
  return {
    ...{ check: 'consent', expected: `at most ${said}`, found: String(customers.consents), differences: [] },
    // A person may have refused here since: never more than the files say.
    result: files.length === 0 ? 'missing' : customers.consents <= said ? 'passed' : 'failed',
  };
}

function dayTotals(files: readonly MoveFile[], shop: ShopSums): MoveCheck {
  const theirs = new Map<string, DaySum>();
  for (const { sums } of files) for (const [day, of] of Object.entries(sums.days)) theirs.set(day, of);
  const days = [...new Set([...theirs.keys(), ...Object.keys(shop.days)])].toSorted();
  const text = (of: DaySum | undefined) =>
    of === undefined ? 'nothing' : `${of.sales} sales, ${cents(of.netCents)} net, ${cents(of.taxCents)} tax`;
  const differences = days
    .filter((day) => text(theirs.get(day)) !== text(shop.days[day]))
    .map((day) => `${day}: ${text(theirs.get(day))} in the file, ${text(shop.days[day])} here`);
  return {
    check: 'day-totals',
    result: files.length === 0 ? 'missing' : differences.length === 0 ? 'passed' : 'failed',
    ...{ expected: `${theirs.size} days`, found: `${Object.keys(shop.days).length} days` },
    differences: differences.slice(0, differencesShown),
  };
}

function refunds(files: readonly MoveFile[], { refunds: { named, found, lost } }: ShopSums): MoveCheck {
  return {
    ...{ check: 'refunds', expected: `${named} tickets give another one back`, found: `${found} find it` },
    result: files.length === 0 ? 'missing' : named === found ? 'passed' : 'failed',
    differences: lost.map((number) => `${number} gives back a ticket that is not here`),
  };
}

function reporter({ reporters, isLive }: ShopSums): MoveCheck {
  return {
    check: 'one-reporter',
    result: isLive || reporters === 0 ? 'passed' : 'failed',
    ...{ expected: isLive ? 'this shop reports' : 'the former till reports', differences: [] },
    found: `${reporters} connections report`,
  };
}

function equal(
  check: CheckName,
  files: readonly MoveFile[],
  expected: string,
  found: string,
  differences: readonly string[] = [],
): MoveCheck {
  const isEqual = expected === found && differences.length === 0;
  return {
    ...{ check, expected, found, differences },
    result: files.length === 0 ? 'missing' : isEqual ? 'passed' : 'failed',
  };
}

function sum(files: readonly MoveFile[], of: 'creditCents' | 'consents' | 'options' | 'priceCents'): number {
  return files.reduce((total, { sums }) => total + sums[of], 0);
}

function points(files: readonly MoveFile[]): string {
  return files
    .reduce((total, { sums }: { sums: FileSums }) => total.plus(sums.points), decimal('0'))
    .toString();
}

function loaded(files: readonly MoveFile[]): number {
  return files.reduce((total, { created, known }) => total + created + known, 0);
}

function cents(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${(Math.abs(amount) / 100).toFixed(2)}`;
}
