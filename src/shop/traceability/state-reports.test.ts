import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import type { Fault } from '../../hosting/state-server/fault-plan.ts';
import { Receiver, testWorker } from '../webhooks/webhooks.test-support.ts';
import { remindOfReports, startRemindingOfReports } from './remind-of-reports.ts';
import { labels, license, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
const shops: ReportingShop[] = [];
const open = async (
  ...wishes: Parameters<typeof openReportingShop> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const shop = await openReportingShop(service, ...wishes);
  shops.push(shop);
  return shop;
};
afterEach(async () => {
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
  for (const shop of shops.splice(0)) await shop.close();
});
afterAll(() => service.close());

test('a sale is one receipt, split over its packages, to the cent and the thousandth of a gram', async () => {
  const shop = await open();
  // Three of the old package and one of the new one, at 12.99 of which a tenth more is a tax.
  const order = await shop.sell([
    ['roll', 4],
    ['gram', 2],
    ['tray', 1],
  ]);
  expect(await shop.reports()).toMatchObject([{ kind: 'sale', state: 'waiting', revision: 1 }]);
  await shop.pass();
  expect(await shop.reports()).toMatchObject([
    { kind: 'sale', state: 'accepted', attempts: 1, problem: null },
  ]);
  const [receipt, ...others] = shop.live();
  expect(others).toEqual([]);
  expect(receipt).toMatchObject({ customerType: 'Consumer', soldAt: '2026-03-10T11:00:00.000' });
  expect(receipt!.external).toMatch(/^\d+-1-.$/);
  const sold = receipt!.lines.map(({ sent, quantity, amount }) => [sent.PackageLabel, quantity, amount]);
  expect(sold).toEqual([
    [labels.flower, 3, 35.43],
    [labels.second, 1, 11.81],
    [labels.jar, 2.468, 20.31],
  ]);
  expect(order.status).toBe('fulfilled');
});

test('what comes back corrects the receipt, all of it voids it, and an undone return sells it again', async () => {
  const shop = await open();
  const { id, lineItems } = await shop.sell([['roll', 4]]);
  await shop.pass();
  const returned = await shop.takeBack(id, lineItems[0].id, 2);
  await shop.pass();
  const [receipt] = shop.live();
  // What was taken last came back first.
  expect(receipt!.lines.map(({ sent, quantity, amount }) => [sent.PackageLabel, quantity, amount])).toEqual([
    [labels.flower, 2, 23.62],
  ]);
  const rest = await shop.takeBack(id, lineItems[0].id, 2);
  await shop.pass();
  expect(shop.live()).toEqual([]);
  await shop.undoReturn(rest);
  await shop.pass();
  expect(shop.live().map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[2]]);
  await shop.undoReturn(returned);
  await shop.pass();
  expect(shop.live().map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[3, 1]]);
  expect((await shop.reports()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    ...[
      'sale accepted',
      'correction accepted',
      'void accepted',
      'correction accepted',
      'correction accepted',
    ],
  ]);
});

test('a void that the state says is done and is not is sent again, until a person sees to it: no sale has two receipts', async () => {
  const shop = await open();
  const { id, lineItems } = await shop.sell([['roll', 2]]);
  await shop.pass();
  const withoutEffect = (times: number) =>
    shop.state.faults.plan({ kind: 'status', at: 'DELETE *', status: 200, times });
  const later = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1, service.clock.advance(2 * 60_000)) await shop.pass();
  };
  const last = async () => (await shop.reports()).at(-1);
  withoutEffect(1);
  const returned = await shop.takeBack(id, lineItems[0].id, 2);
  await later(1);
  const problem = 'The state said that it is done, and shows that it is not.';
  expect(await last()).toMatchObject({ kind: 'void', state: 'unknown', problem });
  await later(1);
  expect(await last()).toMatchObject({ kind: 'void', state: 'accepted', attempts: 2 });
  await shop.undoReturn(returned);
  await shop.pass();
  expect(shop.live()).toHaveLength(1);

  withoutEffect(Number.POSITIVE_INFINITY);
  const again = await shop.takeBack(id, lineItems[0].id, 2);
  await later(10);
  expect(await last()).toMatchObject({ kind: 'void', state: 'refused', problem, attempts: 5 });
  await shop.undoReturn(again);
  await later(1);
  expect(await last()).toMatchObject({ kind: 'correction', state: 'accepted' });
  expect(shop.live()).toHaveLength(1);
});

test('a sale that the state refuses waits for a person, holds back its packages, and others go out', async () => {
  const shop = await open();
  shop.state.people('hold-package', { label: labels.jar });
  await shop.sell([['gram', 1]]);
  await shop.sell([['roll', 1]]);
  await shop.sell([['gram', 2]]);
  await shop.pass();
  const states = async () => (await shop.reports()).map(({ state }) => state);
  // It is looked for before the refusal is believed.
  expect(await states()).toEqual(['unknown', 'accepted', 'waiting']);
  service.clock.advance(2 * 60_000);
  await shop.pass();
  expect(await states()).toEqual(['refused', 'accepted', 'waiting']);
  const { data: listed } = await shop.owner.call('GET', '/staff/v1/state-reports', undefined, {
    query: { isOpen: 'true' },
  });
  expect(
    listed.map(({ isLate, problem }: { isLate: boolean; problem: string | null }) => [isLate, problem]),
  ).toEqual([
    [false, expect.stringMatching(/^Waits for the report \d+-1-\w, which is about the same package/)],
    [true, expect.stringContaining('on hold')],
  ]);
  shop.state.people('release-package', { label: labels.jar });
  const again = await shop.owner.call('POST', `/staff/v1/state-reports/${listed[1].id}/send-again`);
  expect([again.status, again.data.state, again.data.kind]).toEqual([201, 'waiting', 'sale']);
  await shop.pass();
  expect(await states()).toEqual(['superseded', 'accepted', 'accepted', 'accepted']);
  const settled = await shop.owner.call('POST', `/staff/v1/state-reports/${listed[1].id}/enter-by-hand`, {
    note: '',
  });
  expect(settled.error?.code).toBe('INVALID_REPORT_TURN');
});

test('whatever the state answers instead of the truth, each sale ends as one receipt and a known report', async () => {
  const shop = await open({ answerMsMax: 100 });
  const receipts = 'POST /sales/v2/receipts';
  const badAnswers: readonly Fault[] = [
    { kind: 'html', at: receipts, status: 200 },
    { kind: 'html', at: receipts },
    { kind: 'status', at: receipts, status: 200 },
    { kind: 'commit-then-500', at: receipts },
    { kind: 'commit-then-close', at: receipts },
    { kind: 'commit-then-hang', at: receipts },
    { kind: 'double-write', at: receipts },
    { kind: 'internal-400', at: receipts },
    { kind: 'status', at: receipts, status: 401 },
    { kind: 'status', at: receipts, status: 429 },
    { kind: 'status', at: receipts, status: 429, retryAfter: 30 },
  ];
  for (const fault of badAnswers) {
    shop.state.faults.plan(fault);
    // What it may have got is looked for: by a list that lacks half, and by a call that says "no access" for "absent".
    shop.state.faults.plan({ kind: 'partial-list', at: 'GET /sales/v2/receipts/*' });
    shop.state.faults.plan({ kind: 'status', status: 401, at: 'GET /sales/v2/receipts/external/*' });
    // What it made twice it only says that it voids, at first.
    shop.state.faults.plan({ kind: 'status', status: 200, at: 'DELETE *' });
    await shop.sell([['gram', 1]]);
    for (let minutes = 0; minutes < 12; minutes += 6) {
      await shop.pass();
      service.clock.advance(6 * 60_000);
    }
    await shop.pass();
    shop.state.faults.clear();
  }
  expect((await shop.reports()).map(({ state }) => state)).toEqual(badAnswers.map(() => 'accepted'));
  expect(shop.live()).toHaveLength(badAnswers.length);
  expect(shop.atState(labels.jar).quantity).toBeCloseTo(10_000 - 1.234 * badAnswers.length, 3);
});

test('another sale that stands at the state under our number is left alone, ours waits for a person, and both are named', async () => {
  const shop = await open();
  await shop.sell([['roll', 2]]);
  await shop.pass();
  const { world } = shop.state;
  await shop.sell([['gram', 1]]);
  const [, { external_number: number }] = (await shop.reports()) as [unknown, { external_number: string }];
  // After a restore from an older backup the state has sales that are lost here, and their numbers are given again.
  const [like] = shop.live();
  const lost = world.receipts.put({ ...like!, id: world.nextId(), external: number });
  await shop.restored(service);
  await shop.pass();
  const [, refused] = await shop.reports();
  expect(refused).toMatchObject({
    ...{ state: 'refused', attempts: 0 },
    problem: `Receipt ${lost.id} stands under our number ${number} and says something else. If it is this sale, void it there before you send this again.`,
  });
  await shop.owner.call('POST', `/staff/v1/state-reports/${refused!.id}/send-again`);
  await shop.pass();
  expect((await shop.reports()).map(({ state }) => state)).toEqual(['accepted', 'superseded', 'accepted']);
  expect(shop.live()).toHaveLength(3);
  expect(world.receipts.byId(lost.id)).toEqual(lost);
  const { data } = await shop.owner.call('GET', '/staff/v1/state-differences');
  expect(
    data.map((it: { kind: string; stateRecordId: number }) => [it.kind, it.stateRecordId]),
  ).toContainEqual([...['not-ours', lost.id]]);
});

test('what a person entered on the website is not sent, and what a person voided there is a difference', async () => {
  const shop = await open();
  const { id } = await shop.sell([['roll', 1]]);
  const [first] = await shop.reports();
  const by = { note: 'Receipt 0000088120' };
  const marked = await shop.owner.call('POST', `/staff/v1/state-reports/${first!.id}/enter-by-hand`, by);
  expect(marked.data).toMatchObject({ state: 'done-by-hand', isOpen: false, orderId: id });
  await shop.pass();
  expect(shop.live()).toEqual([]);
  await shop.sell([['roll', 2]]);
  await shop.pass();
  shop.state.people('void-receipt', { id: shop.live()[0]!.id });
  service.clock.advance(6 * 60_000);
  await shop.pass();
  const { data } = await shop.owner.call('GET', '/staff/v1/state-differences');
  const found = data.filter(({ orderId }: { orderId: string | null }) => orderId !== null);
  expect(found).toMatchObject([{ kind: 'voided-at-state', orderNumber: expect.any(Number) }]);
  await shop.owner.call('POST', `/staff/v1/state-reports/${found[0].stateReportId}/send-again`);
  await shop.pass();
  expect(shop.live()).toHaveLength(1);
});

test('what a person settles between its loading and its sending is not sent', async () => {
  const shop = await open();
  await shop.sell([['gram', 1]]);
  let passing: Promise<boolean> | undefined;
  await service.context.database.write(shop.shop.organizationId, async (tx) => {
    const text = `update state_reports set state = 'done-by-hand', settled_at = now() where organization_id = $1`;
    await tx.run({ name: 'test_settled_by_hand', text, values: [shop.shop.organizationId] });
    passing = shop.pass();
    // The worker has loaded it once it waits for the row; a server beside the database's own does not show that.
    for (let looks = 0, waits = false; looks < 2_000 && !waits; looks += 1) {
      const [row] = await shop.sql(
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
      );
      waits = row!.waits;
    }
  });
  await passing;
  expect(shop.live()).toEqual([]);
  expect(await shop.reports()).toMatchObject([{ state: 'done-by-hand', attempts: 0 }]);
});

test('two connections that are made at once for all locations are one', async () => {
  const owner = await service.staff(await createTestShop(service.context));
  const body = {
    ...{ inventoryLocationId: null, state: 'CA', isSandbox: false, licenseNumber: 'TWICE-1' },
    ...{ userKey: 'user-key', isOn: false },
  };
  const replies = await Promise.all(
    [body, body, body].map((sent) => owner.call('POST', '/staff/v1/state-connections', sent)),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test('a wrong key is said, nothing is sent with it, and the key is nowhere to be seen', async () => {
  const shop = await open({ userKey: 'wrong-key-of-a-person' });
  await shop.sell([['roll', 1]]);
  await shop.pass();
  expect(await shop.reports()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  const { data, text } = await shop.owner.call('GET', '/staff/v1/state-connections');
  expect(data).toMatchObject([{ problem: 'The state does not accept the keys.' }]);
  expect(text).not.toContain('wrong-key');
  const { data: changed } = await shop.owner.call('PUT', `/staff/v1/state-connections/${data[0].id}`, {
    ...{
      state: 'CA',
      isSandbox: false,
      licenseNumber: data[0].licenseNumber,
      isOn: true,
      adjustmentReason: null,
    },
    userKey: 'user-key',
  });
  expect(changed.problem).toBe('The state does not accept the keys.');
  await shop.pass();
  expect(await shop.reports()).toMatchObject([{ state: 'accepted' }]);
  const rows = await shop.sql(
    "select details::text as details from audit_entries where action like 'state_connection%'",
  );
  expect(JSON.stringify(rows)).not.toContain('user-key');
  expect(rows.map(({ details }) => JSON.parse(details)).at(-1)).toEqual({ userKey: 'replaced' });
});

test('adjusted stock is one adjustment at the state, also when the answer to the call is lost', async () => {
  const shop = await open();
  const adjust = (delta: string) =>
    shop.owner.call('POST', '/staff/v1/inventory-adjustments', {
      ...{ productId: shop.shop.productId('Counter Jar'), productOptionId: null, packageId: jarId, delta },
      ...{ inventoryLocationId: shop.shop.locationId('Storefront'), reason: 'Counted again' },
    });
  const [{ id: jarId }] = (await shop.sql(`select id from packages where label = '${labels.jar}'`)) as [
    { id: number },
  ];
  expect((await adjust('-1.5')).status).toBe(201);
  await shop.pass();
  const [refused] = await shop.reports();
  expect(refused).toMatchObject({
    kind: 'adjustment',
    state: 'refused',
    problem: expect.stringContaining('reason'),
  });
  const { data } = await shop.owner.call('GET', '/staff/v1/state-connections');
  await shop.owner.call('PUT', `/staff/v1/state-connections/${data[0].id}`, {
    ...{ state: 'CA', isSandbox: false, licenseNumber: data[0].licenseNumber, isOn: true },
    adjustmentReason: data[0].adjustmentReasons[0],
  });
  await shop.owner.call('POST', `/staff/v1/state-reports/${refused!.id}/send-again`);
  shop.state.faults.plan({ kind: 'commit-then-close', at: 'POST /packages/v2/adjust' });
  await shop.pass();
  service.clock.advance(2 * 60_000);
  await shop.pass();
  expect((await shop.reports()).map(({ state }) => state)).toEqual(['superseded', 'accepted']);
  const at = shop.state.world.adjustments.all(license).filter(({ note }) => /^A\d+-2-.$/.test(note));
  expect(at.map(({ difference }) => difference)).toEqual([-1.5]);
  const { data: shown } = await shop.owner.call(
    'GET',
    `/staff/v1/state-reports/${(await shop.reports())[1]!.id}`,
  );
  expect(shown.lines).toEqual([{ label: labels.jar, quantity: '-1.5', unit: 'Grams', amount: 0 }]);
});

test('who reads the shop sees whether the state knows an order, and hears of it; others do not', async () => {
  const shop = await open();
  const { id } = await shop.sell([['roll', 1]]);
  const { keys } = shop.shop;
  const told = async (by = keys) =>
    (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: by })).data.stateReport;
  expect(await told()).toEqual({ state: 'waiting', reportedAt: null });
  await shop.pass();
  expect(await told()).toEqual({ state: 'accepted', reportedAt: new Date(testNowMs).toISOString() });
  const { data: changes } = await service.call('GET', '/api/v1/changes', { keys });
  const heard = changes.find(({ type }: { type: string }) => type === 'order.reported');
  expect(heard.resource).toEqual({ type: 'order', id });
});

test('a voided sale is no receipt any more, and a sale from before the license was connected is left alone', async () => {
  const shop = await open();
  const { id } = await shop.sell([['roll', 2]]);
  await shop.pass();
  expect(shop.live()).toHaveLength(1);
  await shop.owner.call('POST', `/staff/v1/orders/${id}/void`, { reason: 'Rung up twice' });
  await shop.pass();
  expect(shop.live()).toEqual([]);
  expect(shop.atState(labels.flower).quantity).toBe(3);
  const [before] = [await shop.reports()];
  const turn = (isOn: boolean) =>
    shop.owner.call('PUT', `/staff/v1/state-connections/${shop.connectionId}`, {
      ...{ state: 'CA', isSandbox: false, licenseNumber: license, isOn, adjustmentReason: null },
    });
  await turn(false);
  const older = await shop.sell([['roll', 2]]);
  const inAnHour = new Date(service.clock.now() + 3_600_000).toISOString();
  await shop.sql(`update state_connections set created_at = '${inAnHour}'`);
  await turn(true);
  await shop.takeBack(older.id, older.lineItems[0].id, 1);
  expect(await shop.reports()).toEqual(before);
});

test('what came back and was thrown away leaves its package at the state, too, and is there again when that is undone', async () => {
  const shop = await open();
  const { data: licenses } = await shop.owner.call('GET', '/staff/v1/state-connections');
  await shop.pass();
  const settings = { state: 'CA', isSandbox: false, licenseNumber: license, isOn: true };
  const set = await shop.owner.call('PUT', `/staff/v1/state-connections/${licenses[0].id}`, {
    ...{ ...settings, adjustmentReason: 'Entry Error', wasteReason: 'Waste' },
  });
  expect(set.data).toMatchObject({ wasteReason: 'Waste', adjustmentReason: 'Entry Error' });
  service.clock.advance(2_000);
  const { id, lineItems } = await shop.sell([['gram', 2]]);
  const returned = await shop.takeBack(id, lineItems[0].id, 1, 'waste');
  await shop.pass();
  expect(shop.live().map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[1.234]]);
  expect(shop.atState(labels.jar).quantity).toBeCloseTo(10_000 - 2.468, 3);
  const [thrown] = shop.state.world.adjustments.all(license);
  expect(thrown).toMatchObject({ reason: 'Waste', difference: -1.234 });
  await shop.undoReturn(returned);
  await shop.pass();
  expect(shop.atState(labels.jar).quantity).toBeCloseTo(10_000 - 2.468, 3);
  const states = (await shop.reports()).map(({ state }) => state);
  expect(states).toEqual(['superseded', 'accepted', 'accepted', 'accepted', 'accepted']);
});

test('a package that is used up is finished at the state after its sales, also when it only says so, or the answer is lost', async () => {
  const shop = await open();
  await shop.sell([['roll', 3]]);
  const [{ id }] = (await shop.sql(`select id from packages where label = '${labels.flower}'`)) as [
    { id: number },
  ];
  expect((await shop.owner.call('POST', `/staff/v1/packages/${id}/finish`)).status).toBe(200);
  shop.state.faults.plan({ kind: 'status', status: 200, at: 'PUT /packages/v2/finish' });
  shop.state.faults.plan({ kind: 'commit-then-close', at: 'PUT /packages/v2/finish' });
  for (let turn = 0; turn < 3; turn += 1) {
    await shop.pass();
    service.clock.advance(2 * 60_000);
  }
  expect((await shop.reports()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    ...['sale accepted', 'finish accepted'],
  ]);
  expect(shop.atState(labels.flower)).toMatchObject({ quantity: 0, finishedDate: '2026-03-10' });
});

test('the file for the day on which the state is down has every open report, package by package', async () => {
  const shop = await open();
  await shop.sell([
    ['roll', 4],
    ['gram', 1],
  ]);
  const file = await shop.owner.call('GET', '/staff/v1/state-report-file');
  const [head, ...rows] = file.text.trim().split('\r\n');
  expect(head).toBe(
    'soldAt,orderNumber,kind,number,customerType,label,quantity,unit,amount,state,problem,dueAt',
  );
  expect(rows.map((row) => row.split(',').slice(5, 9).join(' '))).toEqual([
    ...[`${labels.flower} 3 Each 35.43`, `${labels.second} 1 Each 11.81`, `${labels.jar} 1.234 Grams 10.15`],
  ]);
});

test('owners are mailed about what the state refuses or has not got in half of its time, once a day', async () => {
  const shop = await open({ userKey: 'wrong' });
  await shop.sell([['roll', 1]]);
  await shop.sql(`update staff_members set password_hash = 'x' where id = ${shop.owner.staffId}`);
  const remind = () => remindOfReports(service.context, shop.shop.organizationId);
  const mails = async () =>
    (await mailsOf(service.context, shop.shop.organizationId)).filter(
      ({ kind }) => kind === 'state-reports-late',
    );
  await remind();
  expect(await mails()).toEqual([]);
  service.clock.advance(13 * 3_600_000);
  await remind();
  await remind();
  expect((await mails()).map(({ text }) => text)).toEqual([
    expect.stringContaining(`License ${license}: 1 report, the oldest of 2026-03-10.`),
  ]);
  service.clock.advance(24 * 3_600_000);
  await remind();
  expect(await mails()).toHaveLength(2);
  // The operator's alarms go by the metric.
  const registry = new Registry();
  const late = async () => [{ id: Number(shop.shop.organizationId) }];
  const job = startRemindingOfReports(service.context, late, registry, { error: () => {} } as never);
  await job.stop();
  expect(await registry.metrics()).toContain('\nshops_with_late_state_reports 1');
});

test("a sale to a patient tells the state the patient's number, and waits where there is none; integrators hear of the refusal", async () => {
  const shop = await open({ switches: { 'patient-limit': 'accept' } });
  const { keys } = shop.shop;
  const receiver = await Receiver.start();
  const types = ['report.refused'];
  await service.call('POST', '/api/v1/webhook-endpoints', { keys, body: { url: receiver.url, types } });
  const flags = { CanSellToPatients: true, SalesRequirePatientNumber: true };
  shop.state.people('set-flags', { license, flags });
  await shop.pass();
  const patient = { firstName: 'Priya', lastName: 'Lindqvist', birthday: '1980-01-01' };
  const medicalExpiration = '2030-01-01';
  const made = await shop.owner.call('POST', '/staff/v1/customers', { ...patient, medicalExpiration });
  const placed = await shop.owner.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', customerId: made.data.id, idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: shop.shop.optionId('roll'), quantity: 1 }],
    payments: [{ paymentTypeId: shop.shop.paymentTypeId('Cash'), remaining: true }],
  });
  await shop.owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
  await shop.pass();
  const [refused] = await shop.reports();
  expect(refused).toMatchObject({ state: 'refused', problem: expect.stringContaining("patient's number") });
  expect(shop.live()).toEqual([]);
  const worker = testWorker(service);
  await worker.pass(shop.shop.organizationId);
  await receiver.count(1);
  expect(JSON.parse(receiver.received[0]!.text)).toMatchObject({
    type: 'report.refused',
    data: { facts: { orderId: placed.data.id, reportId: refused!.id, kind: 'sale' } },
  });
  await receiver.close();

  const number = 'MM-40-118824Z';
  await shop.owner.call('PATCH', `/staff/v1/customers/${made.data.id}`, { patientNumber: number });
  await shop.owner.call('POST', `/staff/v1/state-reports/${refused!.id}/send-again`);
  await shop.pass();
  expect(shop.live().map((it) => [it.customerType, it.patient])).toEqual([['Patient', number]]);
  // The receipt has it; no row of the shop's own reports does.
  const kept = await shop.sql(
    'select row_to_json(r)::text as row from state_reports r union all select row_to_json(r)::text from state_receipts r',
  );
  expect(JSON.stringify(kept)).not.toContain('118824');
});
