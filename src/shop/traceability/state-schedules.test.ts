import { afterAll, expect, test } from 'vitest';
import { type SeededRandom, seededRandom } from '../../../seed/seeded-random.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import type { ReceiptContent } from '../../engines/state-reports/receipt-of-sale.ts';
import type { Fault } from '../../hosting/state-server/fault-plan.ts';
import { RefusedRow } from '../../hosting/state-server/state-refusals.ts';
import { type SwitchName, switches } from '../../hosting/state-server/state-switches.ts';
import { decimal } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { answerDifference } from './answer-difference.ts';
import { type Difference, listDifferences } from './list-differences.ts';
import { labels, license, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';
import { sendAgain } from './settle-report.ts';

/*
 * Random schedules of sales, returns, faults, deaths of the worker, edits by people and switches of the state, over HTTP. In the end all
 * is quiet, people settle what waits for them, each sale has exactly one live receipt that says what it is, and the stock at the state is that of
 * the ledger, or a listed difference.
 * SCHEDULES=1200 runs more of them, SCHEDULES=1200..2400 those after them (whole shops of twelve), SCHEDULE_SEED=text others.
 */

const service = await startTestService();
afterAll(() => service.close());

const schedulesOfShop = 12;
const [from, to] = rangeOf(process.env.SCHEDULES ?? '8');
const shopFrom = Math.floor(from / schedulesOfShop);
const baseSeed = process.env.SCHEDULE_SEED ?? 'kept';
/** The last hours before clocks go back in California, and an hour of no consequence. */
const beginnings = ['2026-11-01T08:20:00.000Z', '2026-03-10T18:00:00.000Z'];
const minuteMs = 60_000;

/** Values of switches that take any. */
const others: Partial<Record<SwitchName, readonly string[]>> = {
  'absent-routes': ['none', 'GET /sales/v2/receipts/external/*', 'GET /labtests/*', '* /retailid/*'],
  'removed-routes': ['none', 'GET /transfers/v2/deliveries/*', 'GET /employees/*'],
  limits: ['9999/9999/999/999', '400/400/10/30'],
};

const faultKinds: readonly Fault['kind'][] = [
  ...(['commit-then-hang', 'commit-then-500', 'commit-then-close', 'hang', 'close', 'html'] as const),
  ...(['internal-400', 'double-write', 'partial-list', 'double-rows', 'moving-pages', 'status'] as const),
];
const paths = ['POST /sales/v2/receipts', '* /sales/v2/receipts*', 'GET *', '*', 'DELETE *', 'PUT *'];

test.each(Array.from({ length: Math.ceil(to / schedulesOfShop) - shopFrom }, (_, at) => shopFrom + at))(
  'once quiet, each sale has one live receipt, equal to it (shop %i)',
  { timeout: 600_000 },
  async (shopAt) => {
    const draws = seededRandom(`${baseSeed} ${shopAt}`);
    service.clock.set(Date.parse(beginnings[shopAt % beginnings.length]!));
    const shop = await openReportingShop(service, {
      ...{ seed: `${shopAt}`, law: 'WY', answerMsMax: 250 },
      // One after the other, so that a schedule that fails is repeated exactly; and as many at once as it is.
      ...(shopAt % 2 === 0 && { callsAtOnce: 1 }),
    });
    await shop.sql("update state_connections set adjustment_reason = 'Entry Error'");
    try {
      const runs = Math.min(schedulesOfShop, to - shopAt * schedulesOfShop);
      for (let run = 0; run < runs; run += 1)
        await runSchedule(shop, draws.fork(`run ${run}`), `${shopAt}/${run}`);
    } finally {
      await shop.close();
    }
  },
);

/** `n`: the first n; `m..n`: those from the mth to before the nth. */
function rangeOf(text: string): [number, number] {
  const [first, last] = text.includes('..') ? text.split('..').map(Number) : [0, Number(text)];
  return [first!, last!];
}

async function runSchedule(shop: ReportingShop, draws: SeededRandom, name: string): Promise<void> {
  const log: string[] = [];
  try {
    turnSwitches(shop, draws, log);
    const orders: { id: string; line: number; left: number; returns: number[] }[] = [];
    for (let step = 0, steps = draws.integer(6, 16); step < steps; step += 1) {
      await takeStep(shop, draws, orders, log);
    }
    await becomeQuiet(shop, draws);
    await expectOneReceiptEach(shop);
  } catch (error) {
    throw new Error(`schedule ${name} of ${baseSeed}: ${log.join('; ')}\n${(error as Error).stack}`);
  }
}

function turnSwitches(shop: ReportingShop, draws: SeededRandom, log: string[]): void {
  const turned: Record<string, string> = {};
  for (const [switchName, { values }] of Object.entries(switches)) {
    const drawn = others[switchName as SwitchName] ?? (values as readonly string[]);
    turned[switchName] = draws.chance(0.3) ? draws.pick(drawn) : drawn[0]!;
  }
  // A sandbox that loses its packages at night has nothing to be compared with.
  if (turned.deployment === 'sandbox') turned['nightly-wipe'] = 'no';
  if (draws.chance(0.3)) turned.lag = draws.pick(['3', '10', 'receipts=10']);
  log.push(
    Object.entries(turned)
      .map((it) => it.join('='))
      .join(' '),
  );
  shop.state.world.turn(turned);
}

async function takeStep(
  shop: ReportingShop,
  draws: SeededRandom,
  orders: { id: string; line: number; left: number; returns: number[] }[],
  log: string[],
): Promise<void> {
  const order = orders.length === 0 ? undefined : draws.pick(orders);
  const live = shop.live();
  switch (
    draws.pickWeighted(
      ['sell', 'return', 'undo', 'adjust', 'fault', 'people', 'die', 'later', 'pass'],
      weightOf,
    )
  ) {
    case 'sell': {
      const lines = draws.shuffle([
        ['roll', draws.integer(1, 5)] as const,
        ['gram', draws.integer(1, 3)] as const,
      ]);
      const sold = await unlessShort(shop.sell(lines.slice(0, draws.integer(1, 2))));
      if (sold === null) return void log.push('sell nothing: held at the state');
      orders.push({ id: sold.id, line: sold.lineItems[0].id, left: sold.lineItems[0].quantity, returns: [] });
      return void log.push('sell');
    }
    case 'return': {
      if (order === undefined || order.left === 0) return;
      const units = draws.integer(1, order.left);
      const where = draws.pick(['inventory', 'inventory', 'waste'] as const);
      order.returns.push(await shop.takeBack(order.id, order.line, units, where));
      order.left -= units;
      return void log.push(`return ${units} to ${where}`);
    }
    case 'undo': {
      const id = order?.returns.pop();
      if (id === undefined) return;
      const again = await unlessShort(shop.undoReturn(id));
      if (again === null) return void log.push('undo nothing: the goods are sold again');
      order!.left += again;
      return void log.push('undo the return');
    }
    case 'adjust': {
      const [label, delta] = [draws.pick([labels.jar, labels.second]), draws.pick([-3, -1, 2])];
      await shop.adjust(label, delta);
      return void log.push(`adjust ${label} by ${delta}`);
    }
    case 'fault': {
      const fault: Fault = {
        ...{ kind: draws.pick(faultKinds), at: draws.pick(paths), after: draws.integer(0, 3) },
        ...{ times: draws.integer(1, 3), status: draws.pick([401, 413, 429, 500, 503, 200]) },
      };
      shop.state.faults.plan(fault);
      return void log.push(JSON.stringify(fault));
    }
    case 'people': {
      if (draws.chance(0.3)) return editPackage(shop, draws, log);
      if (live.length === 0) return;
      const edit = draws.pick(['void-receipt', 'finalize-receipt', 'unfinalize-receipt', 'price']);
      const { id, lines } = draws.pick(live);
      if (edit === 'price') {
        const dearer = lines.map((line) => ({ ...line, amount: line.amount + 1 }));
        shop.state.world.receipts.change(id, { lines: dearer });
        return void log.push('another price at the state');
      }
      return void log.push(`${edit}${refusedAtState(() => shop.state.people(edit, { id }))}`);
    }
    case 'die':
      shop.die(draws.integer(1, 12));
      return void log.push('die');
    case 'later':
      service.clock.advance(draws.integer(1, 20) * minuteMs);
      return void log.push('later');
    case 'pass':
      return void log.push(`pass ${await shop.pass()}`);
  }
}

/** What people do with packages on the state's website. */
function editPackage(shop: ReportingShop, draws: SeededRandom, log: string[]): void {
  const label = draws.pick([labels.jar, labels.second]);
  const edit = draws.pick(['adjust-package', 'hold-package', 'release-package']);
  const { quantity } = shop.state.world.packages.all(license).find((it) => it.label === label)!;
  shop.state.people(edit, {
    label,
    ...(edit === 'adjust-package' && { quantity: quantity + draws.integer(-3, 3), note: 'recount' }),
  });
  log.push(`${edit} ${label}`);
}

/** What the state says no to: such as the void of a receipt whose package is finished. Empty: nothing. */
function refusedAtState(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    if (!(error instanceof RefusedRow)) throw error;
    return `: ${error.message}`;
  }
}

/** Null: there is not enough that can be sold. */
async function unlessShort<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (/OUT_OF_STOCK|PACKAGE_BLOCKED/.test((error as Error).message)) return null;
    throw error;
  }
}

function weightOf(step: string): number {
  return { sell: 4, return: 2, undo: 1, adjust: 1, fault: 3, people: 1, die: 2, later: 2, pass: 6 }[step]!;
}

/** Faults end, time goes by, and people settle what waits for them: reports and differences. */
async function becomeQuiet(shop: ReportingShop, draws: SeededRandom): Promise<void> {
  shop.state.faults.clear();
  shop.die(Number.POSITIVE_INFINITY);
  for (const label of Object.values(labels)) shop.state.people('release-package', { label });
  // What was accepted in the same moment in which packages were read says nothing of them yet: it is quiet for two rounds.
  let quietRounds = 0;
  for (let round = 0; round < 24; round += 1) {
    service.clock.advance(31 * minuteMs);
    await shop.pass();
    // On a busy machine the state may not have answered in time.
    const [read] = await shop.sql(
      `select bool_and(least(receipts_read_until, packages_read_until) >= '${isoTimestamp(service.clock.now())}') as "isAll" from state_lanes`,
    );
    const open = await shop.sql(
      "select id, state, problem from state_reports where state in ('waiting', 'sending', 'unknown', 'refused')",
    );
    const differences = await listDifferences(service.context, shop.shop.organizationId);
    const wrong = differences.flatMap(({ stateReportId }) => stateReportId ?? []);
    const ofStock = differences.filter(({ label, answers }) => label !== null && answers.length > 0);
    const ours = ofStock.filter(({ packageId }) => packageId !== null);
    const isQuiet = read!.isAll === true && open.length === 0 && wrong.length === 0 && ours.length === 0;
    quietRounds = isQuiet ? quietRounds + 1 : 0;
    if (quietRounds > 1 && round > 1) return;
    await settleReports(shop, open, wrong);
    // Receipts explain packages, so they come first.
    if (open.length === 0 && wrong.length === 0) for (const it of ours) await answer(shop, draws, it);
  }
  throw new Error(`never quiet: ${JSON.stringify(await shop.reports())}`);
}

async function settleReports(
  shop: ReportingShop,
  open: readonly Record<string, unknown>[],
  wrong: readonly number[],
): Promise<void> {
  const { organizationId: of } = shop.shop;
  const refused = open.filter(({ state }) => state === 'refused');
  const latest = await shop.sql(
    'select distinct on (coalesce(order_id::text, id::text)) id from state_reports order by coalesce(order_id::text, id::text), revision desc',
  );
  // A finished package takes nothing back: people open it again.
  if (refused.length > 0) {
    for (const label of Object.values(labels)) shop.state.people('unfinish-package', { label });
  }
  // A finished package that took back a voided sale can be left with less than it had: they put it right.
  for (const { problem } of refused) {
    const short = /^Package (\S+) does not have enough quantity/.exec(String(problem));
    if (!short) continue;
    const { quantity } = shop.state.world.packages.all(license).find((it) => it.label === short[1])!;
    shop.state.people('adjust-package', { label: short[1], quantity: quantity + 10, note: 'recount' });
  }
  // Before they send a sale again of which the state has another receipt, they void that one there.
  for (const { problem } of refused) {
    const standing = /^Receipt (\d+) stands under our number/.exec(String(problem));
    if (!standing) continue;
    shop.state.people('unfinalize-receipt', { id: Number(standing[1]) });
    shop.state.people('void-receipt', { id: Number(standing[1]) });
  }
  for (const id of [...refused.map((it) => Number(it.id)), ...wrong]) {
    if (latest.some((it) => it.id === id)) await sendAgain(service.context, testOrigin, of, id);
  }
}

async function answer(shop: ReportingShop, draws: SeededRandom, it: Difference): Promise<void> {
  const { stateConnectionId, kind, ours, theirs, answers } = it;
  await answerDifference(service.context, testOrigin, shop.shop.organizationId, shop.owner.staffId, {
    ...{ stateConnectionId, kind, ours, theirs, subject: it.label!, note: 'By a schedule' },
    answer: draws.pick(answers),
  });
}

async function expectOneReceiptEach(shop: ReportingShop): Promise<void> {
  const latest = await shop.sql(
    'select distinct on (order_id) order_id, order_number, payload, state from state_reports where order_id is not null order by order_id, revision desc',
  );
  const expected = latest
    .map(({ order_number: number, payload }) => ({
      number,
      lines: (JSON.parse(payload) as ReceiptContent).lines,
    }))
    .filter(({ lines }) => lines.length > 0);
  const live = shop.live().map((it) => ({
    number: Number(it.external!.split('-')[0]),
    lines: it.lines
      .map(({ sent, quantity, amount }) => ({
        ...{ label: String(sent.PackageLabel), quantity: decimal(quantity).round(3, 1).toFixed() },
        amountCents: Math.round(amount * 100),
      }))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
  }));
  const byNumber = <Row extends { number: number }>(rows: Row[]) =>
    rows.toSorted((a, b) => a.number - b.number);
  expect(byNumber(live)).toEqual(
    byNumber(
      expected.map(({ number, lines }) => ({
        number: Number(number),
        lines: lines.map(({ label, quantity, amountCents }) => ({
          ...{ label, amountCents, quantity: decimal(quantity).round(3, 1).toFixed() },
        })),
      })),
    ),
  );
  await expectSameStock(shop);
}

/** The stock at the state is that of the ledger, or the difference is listed. */
async function expectSameStock(shop: ReportingShop): Promise<void> {
  const listed = await listDifferences(service.context, shop.shop.organizationId);
  const stock = await shop.sql(
    'select k.label, sum(b.on_hand) as on_hand from stock_balances b join packages k on k.id = b.package_id group by k.label',
  );
  for (const { label, on_hand: onHand } of stock) {
    if (listed.some((it) => it.label === label)) continue;
    const there = shop.state.world.packages.all(license).find((it) => it.label === label)!.quantity;
    const texts = [there, String(onHand)].map((it) => decimal(it).round(3, 1).toFixed());
    expect([label, texts[0]]).toEqual([label, texts[1]]);
  }
}
