import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { lockConnections } from './connection-queries.ts';
import { labels, license, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
const shops: ReportingShop[] = [];
const open = async () => {
  const shop = await openReportingShop(service);
  shops.push(shop);
  return shop;
};
afterEach(async () => {
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
  for (const shop of shops.splice(0)) await shop.close();
});
afterAll(() => service.close());

/** A person asks, and minutes later it is done. */
async function compare(shop: ReportingShop) {
  const path = `/staff/v1/state-connections/${shop.connectionId}/compare`;
  const asked = await shop.owner.call('POST', path);
  expect([asked.status, asked.data.state]).toEqual([201, 'waiting']);
  const dayBefore = new Date(service.clock.now() - 86_400_000).toISOString();
  await shop.sql(`update state_comparisons set reads_from = '${dayBefore}', read_until = '${dayBefore}'
    where id = ${asked.data.id}`);
  service.clock.advance(6 * 60_000);
  await shop.pass();
  const { data } = await shop.owner.call('GET', '/staff/v1/state-comparisons');
  expect(data[0]).toMatchObject({ id: asked.data.id, state: 'done', isNightly: false, problem: null });
  return data[0];
}
const differences = async (shop: ReportingShop) =>
  (await shop.owner.call('GET', '/staff/v1/state-differences')).data;
const ofLabel = async (shop: ReportingShop, label: string) =>
  (await differences(shop)).find((it: { label: string | null }) => it.label === label);
const answer = (
  shop: ReportingShop,
  it: { kind: string; label: string; ours: string; theirs: string },
  given: string,
  note = 'Counted again',
) =>
  shop.owner.call('POST', '/staff/v1/state-differences/answers', {
    ...{ stateConnectionId: shop.connectionId, kind: it.kind, subject: it.label, answer: given, note },
    ...{ ours: it.ours, theirs: it.theirs },
  });
const onHand = async (shop: ReportingShop, label: string) =>
  Number(
    (
      await shop.sql(
        `select coalesce(sum(on_hand), 0) as on_hand from stock_balances b join packages k on k.id = b.package_id where k.label = '${label}'`,
      )
    )[0]!.on_hand,
  );
const atState = (shop: ReportingShop, label: string) =>
  shop.state.world.packages.all(license).find((it) => it.label === label)!.quantity;

test('once all is reported the state has what is in stock, and packages that it has besides are named', async () => {
  const shop = await open();
  await shop.sell([
    ['roll', 4],
    ['gram', 2],
  ]);
  await shop.pass();
  const done = await compare(shop);
  const kinds = done.differences.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(['not-here']);
  expect(done.packages).toBeGreaterThan(3);
  // The fake's own packages, of which the shop knows nothing.
  for (const it of await differences(shop)) expect([it.kind, it.packageId]).toEqual(['not-here', null]);
  const file = await shop.owner.call('GET', '/staff/v1/state-differences/export');
  expect(file.text.split('\r\n')[0]).toContain('kind');
});

test('what an accepted order holds is still in the shop: it is no difference before it is handed over', async () => {
  const shop = await open();
  const placed = await shop.owner.call('POST', '/staff/v1/orders', {
    ...{ type: 'pickup', idempotencyKey: randomUUID() },
    // All of the first package, and some of the second.
    lineItems: [{ productOptionId: shop.shop.optionId('roll'), quantity: 4 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
  });
  expect([placed.status, placed.data.status]).toEqual([201, 'new']);
  const { differences: kinds } = await compare(shop);
  expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['not-here']);
});

test('a sale that waits is no difference, and what people adjusted at the state is one that names it', async () => {
  const shop = await open();
  await shop.pass();
  shop.state.people('adjust-package', {
    ...{ label: labels.jar, quantity: 9_990, reason: 'Entry Error', note: 'recount' },
  });
  await compare(shop);
  await shop.sell([['gram', 1]]);
  const found = await ofLabel(shop, labels.jar);
  expect(found).toMatchObject({
    kind: 'adjusted-at-state',
    ours: '10000',
    theirs: '9990',
    underWay: '-1.234',
  });
  expect(found.history).toContainEqual(
    expect.objectContaining({ what: 'adjusted-at-state', quantity: '-10', words: 'Entry Error: recount' }),
  );
  expect(await ofLabel(shop, labels.second)).toBeUndefined();
});

test('where the state is right the ledger follows, without a report', async () => {
  const shop = await open();
  await shop.pass();
  shop.state.people('adjust-package', { label: labels.jar, quantity: 9_990 });
  await compare(shop);
  const found = await ofLabel(shop, labels.jar);
  const stale = await answer(shop, { ...found, theirs: '9991' }, 'state-is-right');
  expect([stale.status, stale.error?.code]).toEqual([409, 'STALE_EDIT']);
  const given = await answer(shop, found, 'state-is-right');
  expect(given.status).toBe(201);
  expect(await onHand(shop, labels.jar)).toBe(9_990);
  expect(await shop.reports()).toEqual([]);
  expect(await ofLabel(shop, labels.jar)).toBeUndefined();
  const again = await answer(shop, found, 'state-is-right');
  expect([again.status, again.error?.code]).toEqual([404, 'STATE_DIFFERENCE_NOT_FOUND']);
  // Some states let more be sold than there is: the ledger does not follow below zero.
  const { packages } = shop.state.world;
  packages.change(packages.all(license).find((it) => it.label === labels.jar)!.id, { quantity: -3 });
  await compare(shop);
  expect(await ofLabel(shop, labels.jar)).toMatchObject({
    ...{ kind: 'less-at-state', theirs: '-3', answers: ['we-are-right'] },
  });
});

test('where the books are right the state is told by an adjustment', async () => {
  const shop = await open();
  await shop.pass();
  await shop.sql("update state_connections set adjustment_reason = 'Entry Error'");
  shop.state.people('adjust-package', { label: labels.jar, quantity: 10_007 });
  await compare(shop);
  const given = await answer(shop, await ofLabel(shop, labels.jar), 'we-are-right');
  expect(given.status).toBe(201);
  // It is under way, and no difference any more.
  expect(await ofLabel(shop, labels.jar)).toBeUndefined();
  await shop.pass();
  expect(await shop.reports()).toMatchObject([{ kind: 'adjustment', state: 'accepted' }]);
  expect(atState(shop, labels.jar)).toBe(10_000);
  expect(await onHand(shop, labels.jar)).toBe(10_000);
});

test('a package that is finished at the state or gone from the license can only be settled as far as the interface goes', async () => {
  const shop = await open();
  await shop.pass();
  shop.state.people('finish-package', { label: labels.flower });
  await compare(shop);
  const found = await ofLabel(shop, labels.flower);
  expect(found).toMatchObject({ kind: 'ended-at-state', answers: ['state-is-right'] });
  const refused = await answer(shop, found, 'we-are-right');
  expect([refused.status, refused.error?.code]).toEqual([409, 'INVALID_DIFFERENCE_ANSWER']);
  expect((await answer(shop, found, 'state-is-right')).status).toBe(201);
  expect(await onHand(shop, labels.flower)).toBe(0);
  const { packages } = shop.state.world;
  packages.change(packages.all(license).find((it) => it.label === labels.flower)!.id, { quantity: -1 });
  await compare(shop);
  expect(await ofLabel(shop, labels.flower)).toMatchObject({
    kind: 'less-at-state',
    theirs: '-1',
    answers: [],
  });
  const { id } = shop.state.world.packages.all(license).find((it) => it.label === labels.second)!;
  shop.state.world.packages.change(id, { license: 'TEST-R-0003' });
  await compare(shop);
  expect(await ofLabel(shop, labels.second)).toMatchObject({ kind: 'absent-at-state', theirs: '0' });
});

test('a receipt that was voided at the state explains the stock, and the state can be left right', async () => {
  const shop = await open();
  await shop.sell([['gram', 1]]);
  await shop.pass();
  shop.state.people('void-receipt', { id: shop.live()[0]!.id });
  await compare(shop);
  expect(await ofLabel(shop, labels.jar)).toMatchObject({ kind: 'receipt-differs', theirs: '10000' });
  const receipt = (await differences(shop)).find((it: { kind: string }) => it.kind === 'voided-at-state');
  const left = await shop.owner.call('POST', '/staff/v1/state-differences/answers', {
    ...{ stateConnectionId: shop.connectionId, kind: receipt.kind, subject: String(receipt.stateRecordId) },
    ...{ theirs: receipt.theirs, answer: 'state-is-right', note: 'Rung up by mistake' },
  });
  expect(left.status).toBe(201);
  expect((await differences(shop)).map(({ kind }: { kind: string }) => kind)).not.toContain(
    'voided-at-state',
  );
  expect((await answer(shop, await ofLabel(shop, labels.jar), 'state-is-right')).status).toBe(201);
  expect(await onHand(shop, labels.jar)).toBe(10_000);
  expect(await ofLabel(shop, labels.jar)).toBeUndefined();
});

test('a receipt that the state says it changed and did not is a difference, and one that it changed is none before it is read', async () => {
  const shop = await open();
  const { id, lineItems } = await shop.sell([['gram', 3]]);
  await shop.pass();
  const later = async (minutes: number) => {
    service.clock.advance(minutes * 60_000);
    await shop.pass();
  };
  await later(6);
  const ofReceipts = async () =>
    (await differences(shop)).filter((it: { label: string | null }) => it.label === null);
  await shop.takeBack(id, lineItems[0].id, 1);
  await later(1);
  expect(await ofReceipts()).toEqual([]);
  await later(6);
  shop.state.faults.plan({ kind: 'status', at: 'PUT *', status: 200 });
  await shop.takeBack(id, lineItems[0].id, 1);
  await later(1);
  await later(31);
  const [found, ...others] = await ofReceipts();
  expect([found.kind, others]).toEqual(['changed-at-state', []]);
  await shop.owner.call('POST', `/staff/v1/state-reports/${found.stateReportId}/send-again`);
  await later(1);
  await later(6);
  expect(shop.live().map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[1.234]]);
  expect(await ofReceipts()).toEqual([]);
});

test('a double that the state does not void is named', async () => {
  const shop = await open();
  shop.state.faults.plan({ kind: 'double-write', at: 'POST /sales/v2/receipts' });
  shop.state.faults.plan({ kind: 'status', at: 'DELETE *', status: 200, times: Number.POSITIVE_INFINITY });
  await shop.sell([['gram', 1]]);
  await compare(shop);
  const [report] = await shop.reports();
  const double = shop.live().find(({ id }) => id !== Number(report!.state_record_id));
  const named = async () =>
    (await differences(shop)).flatMap((it: { kind: string; stateRecordId: number }) =>
      it.kind === 'not-ours' ? [it.stateRecordId] : [],
    );
  expect(await named()).toEqual([double!.id]);
  shop.state.faults.clear();
  await compare(shop);
  expect([shop.live().length, await named()]).toEqual([1, []]);
});

test('the night compares by itself', async () => {
  const shop = await open();
  await shop.pass();
  service.clock.advance(24 * 3_600_000);
  await shop.pass();
  const done = { asked_by_staff_id: null, state: 'done' };
  expect(await shop.sql('select asked_by_staff_id, state from state_comparisons')).toEqual([done, done]);
});

test('two people who settle the same difference at once move the stock once, and tell the state once', async () => {
  const shop = await open();
  await shop.pass();
  await shop.sql("update state_connections set adjustment_reason = 'Entry Error'");
  for (const [quantity, given, left] of [
    [9_990, 'state-is-right', 9_990],
    [9_980, 'we-are-right', 9_990],
  ] as const) {
    shop.state.people('adjust-package', { label: labels.jar, quantity });
    await compare(shop);
    const found = await ofLabel(shop, labels.jar);
    let both: ReturnType<typeof answer>[] = [];
    await service.context.database.write(shop.shop.organizationId, async (tx) => {
      await tx.run(lockConnections({}));
      both = [answer(shop, found, given), answer(shop, found, given)];
      // Both have looked once they wait; a server beside the database's own does not show that.
      for (let looks = 0, waiting = 0; looks < 2_000 && waiting < 2; looks += 1) {
        const [row] = await shop.sql(`select count(*) as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        waiting = Number(row!.count);
      }
    });
    const replies = await Promise.all(both);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await shop.pass();
    expect([await onHand(shop, labels.jar), atState(shop, labels.jar)]).toEqual([left, left]);
  }
});

test('what was rung up before the license was connected is no difference', async () => {
  const shop = await open();
  await shop.sell([['gram', 1]]);
  await shop.pass();
  const { receipts } = shop.state.world;
  const [like] = shop.live();
  const former = { ...like!, external: 'former till 17' };
  const [before, after] = ['2020-05-04T12:00:00', '2999-05-04T12:00:00'].map((soldAt) =>
    receipts.put({ ...former, id: shop.state.world.nextId(), soldAt }),
  );
  await compare(shop);
  const named = (await differences(shop)).flatMap((it: { kind: string; stateRecordId: number }) =>
    it.kind === 'not-ours' ? [it.stateRecordId] : [],
  );
  expect([named, before!.id]).toEqual([[after!.id], expect.any(Number)]);
});

test('another sale under our number that is read after ours was sent is not voided as a double', async () => {
  const shop = await open();
  await shop.sell([['gram', 1]]);
  await shop.pass();
  // A service that was here before gave the same numbers.
  const { world } = shop.state;
  const [ours] = shop.live();
  const other = world.receipts.put({ ...ours!, id: world.nextId(), soldAt: '2026-01-02T12:00:00' });
  service.clock.advance(6 * 60_000);
  await shop.pass();
  expect(shop.live().map(({ id }) => id)).toEqual([ours!.id, other.id]);
});

// Locks are waited for on the server of the organization, which this asks nothing.
test.skipIf(inject('server').isDistributed)(
  'a sale that a person sends again while goods of it come back has one report after the other',
  async () => {
    const shop = await open();
    const order = await shop.sell([['roll', 2]]);
    await shop.pass();
    const [{ id }] = (await shop.reports()) as [{ id: number }];
    let release = () => {};
    let onHeld = () => {};
    const isHeld = new Promise<void>((resolve) => {
      onHeld = resolve;
    });
    const holding = service.context.database.write(shop.shop.organizationId, async (tx) => {
      await tx.run({
        name: 'test_hold_report',
        text: `select id from state_reports where organization_id = ${shop.shop.organizationId} and id = ${id} for update`,
        values: [],
      });
      onHeld();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await isHeld;
    const waiting = async () => {
      const [row] = await shop.sql(`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return row!.count as number;
    };
    const again = shop.owner.call('POST', `/staff/v1/state-reports/${id}/send-again`);
    await expect.poll(waiting).toBe(1);
    let isBack = false;
    const back = shop.takeBack(order.id, order.lineItems[0].id, 1).finally(() => {
      isBack = true;
    });
    await expect.poll(async () => isBack || (await waiting()) === 2).toBe(true);
    release();
    await holding;
    expect((await again).status).toBe(201);
    await back;
    await shop.pass();
    expect((await shop.reports()).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(shop.live()).toHaveLength(1);
  },
);
