import { expect, test } from 'vitest';
import { labelOf } from './seed-world.ts';
import { type Caller, foreignShop, line, messages, serve, shop } from './state-call.test-support.ts';

const adjustment = (Label: string, Quantity: number, members: object = {}) => ({
  ...{ Label, Quantity, UnitOfMeasure: 'Each', AdjustmentReason: 'Waste', AdjustmentDate: '2026-03-06' },
  ...members,
});

const adjust = ({ call }: Caller, method: 'PUT' | 'POST', body: object) =>
  call(`${method} /packages/v2/adjust`, { body: [body] });

const labels = async ({ call }: Caller, list: string): Promise<string[]> =>
  (await call(`GET /packages/v2/${list}`)).body.Data.map(({ Label }: { Label: string }) => Label);

test('PUT adjust sets the quantity, POST adjust changes it; only the POST counts again', async () => {
  const caller = await serve();
  const { label } = caller.counted();
  for (const _ of [1, 2]) expect((await adjust(caller, 'PUT', adjustment(label, 10))).status).toBe(200);
  expect(caller.quantity(label)).toBe(10);
  for (const _ of [1, 2]) await adjust(caller, 'POST', adjustment(label, -3));
  expect(caller.quantity(label)).toBe(4);
});

test.each([
  ['difference', 5],
  ['total', 14],
])('adjustments show of a PUT: the %s; sales are not among them', async (value, shown) => {
  const caller = await serve({ 'adjustment-shows': value });
  const { label } = caller.counted();
  caller.server.people('adjust-package', { label, quantity: 10 });
  await caller.sell({}, [line(label, { Quantity: 0.5 })]);
  await caller.sell({}, [line(label, { Quantity: 0.5 })]);
  await adjust(caller, 'PUT', adjustment(label, 14));
  await adjust(caller, 'POST', adjustment(label, 1, { ReasonNote: 'found' }));
  const { Data } = (await caller.call('GET /packages/v2/adjustments')).body;
  const quantities = Data.map((it: { AdjustmentQuantity: number }) => it.AdjustmentQuantity);
  expect(quantities.slice(0, 2)).toEqual([1, shown]);
  expect(Data).toHaveLength(3);
});

test.each([
  ['accept', 200, -10],
  ['400', 400, 20],
])('an adjustment below zero: %s', async (value, status, quantity) => {
  const caller = await serve({ 'negative-adjust': value });
  const { label } = caller.counted();
  caller.server.people('adjust-package', { label, quantity: 20 });
  expect((await adjust(caller, 'PUT', adjustment(label, -10))).status).toBe(status);
  expect(caller.quantity(label)).toBe(quantity);
});

test('unknown reasons, reasons without their note, other units and other packages are refused', async () => {
  const caller = await serve();
  const { label } = caller.counted();
  const refused = async (members: object, of = label) =>
    messages(await adjust(caller, 'PUT', adjustment(of, 1, members)));
  expect(await refused({ AdjustmentReason: 'Magic' })).toEqual([
    '0: Adjustment Reason "Magic" is not valid.',
  ]);
  expect(await refused({ AdjustmentReason: 'entry error' })).toEqual(['0: Reason note was not specified.']);
  expect(await refused({ UnitOfMeasure: 'Grams' })).toHaveLength(1);
  expect(await refused({ ReasonNote: 'x'.repeat(201) })).toEqual(['0: "ReasonNote" is not valid.']);
  expect(await refused({}, 'x')).toEqual(['0: Package "x" does not exist in the current Facility.']);
});

test.each(['package', 'adjustment', 'null'])('POST adjust answers ids: %s', async (value) => {
  const caller = await serve({ 'adjust-ids': value });
  const { label, id } = caller.counted();
  const { Ids } = (await adjust(caller, 'POST', adjustment(label, 1))).body;
  const adjusted = caller.server.world.adjustments.all()[0]!.id;
  expect(Ids).toEqual({ package: [id], adjustment: [adjusted], null: null }[value]);
});

test('only an empty package can be finished; it is inactive then, and unfinish brings it back', async () => {
  const caller = await serve();
  const { label } = caller.counted();
  const finish = { body: [{ Label: label, ActualDate: '2026-03-06' }] };
  const refused = await caller.call('PUT /packages/v2/finish', finish);
  expect(messages(refused)[0]).toMatch(/cannot be Finished because it's not empty$/);
  await adjust(caller, 'PUT', adjustment(label, 0));
  expect((await caller.call('PUT /packages/v2/finish', finish)).status).toBe(200);
  expect([await labels(caller, 'active'), await labels(caller, 'inactive')]).toEqual([
    expect.not.arrayContaining([label]),
    [label],
  ]);
  await caller.call('PUT /packages/v2/unfinish', { body: [{ Label: label }] });
  expect(await labels(caller, 'active')).toContain(label);
});

test('a package is read by its id or label; at another license it is 401', async () => {
  const { call, server, counted } = await serve();
  const { id, label } = counted();
  expect((await call(`GET /packages/v2/${id}`)).body.Label).toBe(label);
  expect((await call(`GET /packages/v2/${label}`, { license: null })).body.Id).toBe(id);
  const foreign = server.world.packages.all(foreignShop)[0]!;
  for (const of of [foreign.id, foreign.label, 'x']) {
    expect((await call(`GET /packages/v2/${of}`, { license: null })).status).toBe(401);
  }
});

test.each([
  ['text', 'InfusedEdible', 'Each'],
  ['integer', 0, null],
])('the item within a package has its enumerations as %s', async (value, type, unit) => {
  const { call, counted } = await serve({ 'item-enums': value });
  const { Item, ...rest } = (await call(`GET /packages/v2/${counted().id}`)).body;
  expect([Item.ProductCategoryType, Item.UnitOfMeasureName]).toEqual([type, unit]);
  expect(Object.keys(rest)).toHaveLength(71);
});

test.each([
  ['no', false],
  ['yes', true],
])('holds and recalls come without warning; the row stays in active: %s', async (value, stays) => {
  const caller = await serve({ 'hold-in-active': value });
  const [held, recalled] = [caller.counted(0).label, caller.counted(1).label];
  expect((await caller.call(`GET /packages/v2/${held}`)).body.IsOnRecall).toBeNull();
  caller.server.people('hold-package', { label: held });
  caller.server.people('recall-package', { label: recalled });
  expect(await labels(caller, 'onhold')).toEqual([held, recalled]);
  expect((await labels(caller, 'active')).includes(held)).toBe(stays);
  caller.server.people('release-package', { label: held });
  expect(await labels(caller, 'onhold')).toEqual([recalled]);
});

test('notes, external ids, locations, items, dates and flags are set by label', async () => {
  const { call, counted, server } = await serve();
  const { label } = counted();
  const item = server.world.items.all(shop).at(-1)!.name;
  for (const [path, body] of [
    ['note', { PackageLabel: label, Note: 'count' }],
    ['externalid', { PackageLabel: label, ExternalId: 'X-1' }],
    ['location', { Label: label, Location: 'vault', MoveDate: '0001-01-01' }],
    ['item', { Label: label, Item: item.toUpperCase() }],
    ['usebydate', { Label: label, UseByDate: '2026-12-31' }],
    ['donation/flag', { Label: label }],
    ['tradesample/flag', { Label: label }],
    ['tradesample/unflag', { Label: label }],
  ] as const) {
    expect([path, (await call(`PUT /packages/v2/${path}`, { body: [body] })).status]).toEqual([path, 200]);
  }
  expect((await call(`GET /packages/v2/${label}`)).body).toMatchObject({
    ...{ Note: 'count', ExternalId: 'X-1', LocationName: 'Vault', UseByDate: '2026-12-31' },
    ...{ IsDonation: true, IsTradeSample: false, Item: { Name: item } },
  });
  const wrong = await call('PUT /packages/v2/item', { body: [{ Label: label, Item: 'None' }] });
  expect(messages(wrong)[0]).toMatch(/^0: The Product "None" is invalid. Valid values are: /);
});

test('repackaging uses a free tag and takes from the source; before any sale it can be taken back', async () => {
  const caller = await serve();
  const { call, weighed, quantity, server } = caller;
  const source = weighed();
  const tag = server.world.tags.all(shop)[0]!.label;
  const sent = {
    ...{ Tag: tag, Location: 'Vault', UseSameItem: true, Quantity: 5, UnitOfMeasure: 'Grams' },
    ActualDate: '2026-03-06',
    Ingredients: [{ Package: source.label, Quantity: 5, UnitOfMeasure: 'Grams' }],
  };
  const create = (members: object) => call('POST /packages/v2/', { body: [{ ...sent, ...members }] });
  expect(messages(await create({ Location: null, Ingredients: [], Item: 'x', Tag: labelOf(1) }))).toEqual([
    `0: Tag "${labelOf(1)}" is not available.`,
    '0: "Ingredients" was not specified.',
    '0: "Location" was not specified.',
    expect.stringMatching(/^0: The Product "x" is invalid/),
  ]);
  expect(messages(await create({ Tag: 'x1' }))).toEqual(['0: Tag "x1" is not valid.']);
  const { body } = await create({});
  expect([quantity(tag), quantity(source.label)]).toEqual([5, source.quantity - 5]);
  expect((await create({})).status).toBe(400);
  expect((await call(`DELETE /packages/v2/${source.id}`)).status).toBe(400);
  await call(`DELETE /packages/v2/${body.Ids[0]}`);
  expect(quantity(source.label)).toBe(source.quantity);
  expect((await call(`GET /packages/v2/${tag}`)).body).toMatchObject({
    ArchivedDate: '2026-03-06',
    Quantity: 0,
  });
});

test('items are written by what their category requires; a deleted one is inactive', async () => {
  const { call } = await serve();
  const item = {
    Name: 'Sky Roll',
    ItemCategory: 'Pre-Rolls',
    UnitOfMeasure: 'Each',
    Strain: 'Sky',
    UnitWeight: 1,
  };
  const post = (members: object) => call('POST /items/v2/', { body: [{ ...item, ...members }] });
  expect(messages(await post({ Strain: null, UnitOfMeasure: 'Grams' }))).toEqual([
    '0: Unit Of Measure "Grams" is not valid for this Item Category.',
    '0: "Strain" was not specified.',
  ]);
  const [Id] = (await post({})).body.Ids;
  const put = await call('PUT /items/v2', { body: [{ ...item, Id, Name: 'Sky Roll 2' }] });
  expect(put.body).toEqual({ Ids: [Id], Warnings: null });
  expect((await call(`GET /items/v2/${Id}`)).body).toMatchObject({
    Name: 'Sky Roll 2',
    ApprovalStatus: 'Approved',
  });
  expect((await call('GET /items/v2/Sky')).status).toBe(401);
  expect((await call(`GET /items/v2/photo/${Id}`)).status).toBe(401);
  await call(`DELETE /items/v2/${Id}`);
  expect((await call('GET /items/v2/inactive')).body.Data).toHaveLength(1);
});

test('locations can be added, renamed and closed; sublocations only with their flag', async () => {
  const { call, server } = await serve();
  const [Id] = (await call('POST /locations/v2', { body: [{ Name: 'Safe', LocationTypeName: 'default' }] }))
    .body.Ids;
  await call('PUT /locations/v2', { body: [{ Id, Name: 'Strong room', LocationTypeName: 'Packing' }] });
  expect((await call(`GET /locations/v2/${Id}`)).body).toMatchObject({
    Name: 'Strong room',
    ForPackages: true,
  });
  await call(`DELETE /locations/v2/${Id}`);
  expect((await call('GET /locations/v2/inactive')).body.Data).toHaveLength(1);
  expect((await call('GET /sublocations/v2/active')).status).toBe(401);
  server.people('set-flags', { license: shop, flags: { EnableSublocations: true } });
  expect((await call('POST /sublocations/v2', { body: [{ Name: 'Shelf' }] })).status).toBe(200);
});

test.each([
  ['yes', 0],
  ['no', 24],
])('a sandbox loses its packages at midnight: %s', async (value, left) => {
  const { call, server } = await serve({ deployment: 'sandbox', 'nightly-wipe': value });
  const count = async () => (await call('GET /packages/v2/active')).body.Total;
  expect(await count()).toBe(24);
  server.advance(86_400);
  expect(await count()).toBe(left);
});

test.each([
  ['key', 200, 401],
  ['basic', 401, 200],
  ['both', 200, 200],
])('routes of a sandbox take: %s', async (value, byKey, byBasic) => {
  const { call, quantity } = await serve({ deployment: 'sandbox', 'sandbox-auth': value });
  const headers = { 'x-metrc-key': 'vendor-key' };
  const create = 'POST /sandbox/v2/packages/create';
  expect((await call('GET /sandbox/v2/tagtypes', { headers })).status).toBe(byKey);
  expect((await call('GET /sandbox/v2/tagtypes')).status).toBe(byBasic);
  const answer = await call(create, { body: { Count: 3 }, ...(byKey === 200 && { headers }) });
  expect(answer.body.Ids).toHaveLength(3);
  const tags = { TagType: 'cannabis package', Count: 2 };
  const made = await call('POST /sandbox/v2/facility/tags', {
    body: tags,
    ...(byKey === 200 && { headers }),
  });
  expect([made.body.Labels.length, quantity(made.body.Labels[0])]).toEqual([2, undefined]);
});

test.each([
  ['200', { UserKey: 'user-key' }],
  ['201', undefined],
  ['202', undefined],
  ['204', undefined],
])('the set-up of a sandbox answers: %s', async (value, body) => {
  const { call } = await serve({ deployment: 'sandbox', 'setup-answer': value });
  const headers = { 'x-metrc-key': 'vendor-key' };
  const answer = await call('POST /sandbox/v2/integrator/setup', { license: null, headers });
  expect(answer).toMatchObject({ status: Number(value), body });
});

test('tags and unit codes are read and made; merging needs two packages', async () => {
  const { call, counted, server } = await serve();
  const [first, second] = [counted(0), counted(3)];
  server.world.packages.change(second.id, { unit: first.unit });
  expect((await call('GET /tags/v2/package/available')).body).toHaveLength(50);
  expect((await call('GET /retailid/v2/allotment')).body.FacilityLicenseNumber).toBe(shop);
  const made = await call('POST /retailid/v2/generate', { body: { PackageLabel: first.label, Quantity: 2 } });
  const QrUrls = ['https://1a4.com/Z9'];
  await call('POST /retailid/v2/associate', { body: [{ PackageLabel: second.label, QrUrls }] });
  expect((await call(`GET /retailid/v2/receive/${first.label}`)).body.Eaches).toEqual(made.body.Manifest.Qrs);
  expect((await call('GET /retailid/v2/receive/qr/Z9')).body.QrCount).toBe(1);
  const packageLabels = [first.label, second.label];
  const { Packages } = (await call('POST /retailid/v2/packages/info', { body: { packageLabels } })).body;
  expect(Packages.map((it: { QrCount: number }) => it.QrCount)).toEqual([2, 1]);
  expect(await call('POST /retailid/v2/merge', { body: { packageLabels } })).toMatchObject({
    ...{ status: 200, body: undefined },
  });
  expect((await call(`GET /retailid/v2/receive/${first.label}`)).body.QrCount).toBe(3);
});
