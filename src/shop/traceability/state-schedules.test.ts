import { afterAll, expect, test } from 'vitest';
import { type SeededRandom, seededRandom } from '../../../seed/seeded-random.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import type { ReceiptContent } from '../../engines/state-reports/receipt-of-sale.ts';
import type { Fault } from '../../hosting/state-server/fault-plan.ts';
import { type SwitchName, switches } from '../../hosting/state-server/state-switches.ts';
import { decimal, zero } from '../../kernel/decimal.ts';
import { findReceiptDifferences } from './receipt-differences.ts';
import { labels, license, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';
import { sendAgain } from './settle-report.ts';

/*
 * Random schedules of sales, returns, faults, deaths of the worker, edits by people and switches of the state, over HTTP. In the end all
 * is quiet, people settle what waits for them, and each sale has exactly one live receipt that says what it is.
 * SCHEDULES=1000 runs more of them, SCHEDULE_SEED=text others.
 */

const service = await startTestService();
afterAll(() => service.close());

const count = Number(process.env.SCHEDULES ?? 8);
const baseSeed = process.env.SCHEDULE_SEED ?? 'kept';
/** The last hours before clocks go back in California, and an hour of no consequence. */
const beginnings = ['2026-11-01T08:20:00.000Z', '2026-03-10T18:00:00.000Z'];
const schedulesOfShop = 12;
const minuteMs = 60_000;

/** Switches that refuse a true sale for good, or are not about sales: a person has to act, and this proof has none who does. */
const left = new Set<SwitchName>([
  ...(['deployment', 'absent-routes', 'removed-routes', 'limits', 'limit-writes', 'sandbox-auth'] as const),
  ...(['receipt-edit-days', 'void-finished', 'zero-amount', 'over-precise', 'member-case'] as const),
]);

const faultKinds: readonly Fault['kind'][] = [
  ...(['commit-then-hang', 'commit-then-500', 'commit-then-close', 'hang', 'close', 'html'] as const),
  ...(['internal-400', 'double-write', 'partial-list', 'double-rows', 'moving-pages', 'status'] as const),
];
const paths = ['POST /sales/v2/receipts', '* /sales/v2/receipts*', 'GET *', '*', 'DELETE *', 'PUT *'];

test.each(Array.from({ length: Math.ceil(count / schedulesOfShop) }, (_, at) => at))(
  'once quiet, each sale has one live receipt, equal to it (shop %i)',
  { timeout: 600_000 },
  async (shopAt) => {
    const draws = seededRandom(`${baseSeed} ${shopAt}`);
    service.clock.set(Date.parse(beginnings[shopAt % beginnings.length]!));
    const shop = await openReportingShop(service, { seed: `${shopAt}`, law: 'WY', answerMsMax: 250 });
    try {
      const runs = Math.min(schedulesOfShop, count - shopAt * schedulesOfShop);
      for (let run = 0; run < runs; run += 1)
        await runSchedule(shop, draws.fork(`run ${run}`), `${shopAt}/${run}`);
    } finally {
      await shop.close();
    }
  },
);

async function runSchedule(shop: ReportingShop, draws: SeededRandom, name: string): Promise<void> {
  const log: string[] = [];
  try {
    turnSwitches(shop, draws, log);
    const orders: { id: string; line: number; left: number; returns: number[] }[] = [];
    for (let step = 0, steps = draws.integer(6, 16); step < steps; step += 1) {
      await takeStep(shop, draws, orders, log);
    }
    await becomeQuiet(shop);
    await expectOneReceiptEach(shop);
  } catch (error) {
    throw new Error(`schedule ${name} of ${baseSeed}: ${log.join('; ')}\n${(error as Error).stack}`);
  }
}

function turnSwitches(shop: ReportingShop, draws: SeededRandom, log: string[]): void {
  const turned: Record<string, string> = { limits: '9999/9999/999/999' };
  for (const [switchName, { values }] of Object.entries(switches)) {
    if (left.has(switchName as SwitchName)) continue;
    turned[switchName] = draws.chance(0.3) ? draws.pick(values as readonly string[]) : values[0]!;
  }
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
    draws.pickWeighted(['sell', 'return', 'undo', 'fault', 'people', 'die', 'later', 'pass'], weightOf)
  ) {
    case 'sell': {
      const lines = draws.shuffle([
        ['roll', draws.integer(1, 5)] as const,
        ['gram', draws.integer(1, 3)] as const,
      ]);
      const sold = await shop.sell(lines.slice(0, draws.integer(1, 2)));
      orders.push({ id: sold.id, line: sold.lineItems[0].id, left: sold.lineItems[0].quantity, returns: [] });
      return void log.push('sell');
    }
    case 'return': {
      if (order === undefined || order.left === 0) return;
      const units = draws.integer(1, order.left);
      order.returns.push(await shop.takeBack(order.id, order.line, units));
      order.left -= units;
      return void log.push(`return ${units}`);
    }
    case 'undo': {
      const id = order?.returns.pop();
      if (id === undefined) return;
      order!.left += await shop.undoReturn(id);
      return void log.push('undo the return');
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
      if (live.length === 0) return;
      const edit = draws.pick(['void-receipt', 'finalize-receipt', 'unfinalize-receipt']);
      shop.state.people(edit, { id: draws.pick(live).id });
      return void log.push(edit);
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

function weightOf(step: string): number {
  return { sell: 4, return: 2, undo: 1, fault: 3, people: 1, die: 2, later: 2, pass: 6 }[step]!;
}

/** Faults end, time goes by, and people send again what was refused, voided or changed. */
async function becomeQuiet(shop: ReportingShop): Promise<void> {
  shop.state.faults.clear();
  shop.die(Number.POSITIVE_INFINITY);
  const { organizationId: of } = shop.shop;
  for (let round = 0; round < 20; round += 1) {
    service.clock.advance(31 * minuteMs);
    await shop.pass();
    const open = await shop.sql(
      "select id, state from state_reports where state in ('waiting', 'sending', 'unknown', 'refused')",
    );
    const differences = await findReceiptDifferences(service.context, of);
    const wrong = differences.flatMap(({ reportId }) => reportId ?? []);
    if (open.length === 0 && wrong.length === 0 && round > 1) return;
    const refused = open.filter(({ state }) => state === 'refused').map(({ id }) => id);
    const latest = await shop.sql(
      'select distinct on (order_id) id from state_reports order by order_id, revision desc',
    );
    for (const id of [...refused, ...wrong]) {
      if (latest.some((it) => it.id === id)) await sendAgain(service.context, testOrigin, of, id);
    }
  }
  throw new Error(`never quiet: ${JSON.stringify(await shop.reports())}`);
}

async function expectOneReceiptEach(shop: ReportingShop): Promise<void> {
  const latest = await shop.sql(
    'select distinct on (order_id) order_id, order_number, payload, state from state_reports order by order_id, revision desc',
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
  for (const [label, had] of [
    [labels.flower, 3],
    [labels.second, 10_000],
    [labels.jar, 10_000],
  ] as const) {
    const sold = expected
      .flatMap(({ lines }) => lines)
      .reduce((sum, line) => (line.label === label ? sum.plus(line.quantity) : sum), zero);
    const left = shop.state.world.packages.all(license).find((it) => it.label === label)!.quantity;
    expect([label, decimal(left).round(3, 1).toFixed()]).toEqual([
      label,
      decimal(had).minus(sold).round(3, 1).toFixed(),
    ]);
  }
}
