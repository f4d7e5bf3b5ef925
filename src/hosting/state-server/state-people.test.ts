import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { seededKeys, supplierLicense } from './seed-world.ts';
import { type Caller, line, secondShop, serve, shop } from './state-call.test-support.ts';

const patientSale = (caller: Caller, PatientLicenseNumber: string, Quantity: number) =>
  caller.sell({ SalesCustomerType: 'Patient', PatientLicenseNumber }, [
    line(caller.weighed().label, { Quantity, UnitOfMeasure: 'Grams' }),
  ]);

test('the status of a patient has an entry for each limit, and is up to a minute old', async () => {
  const caller = await serve();
  const { call, server } = caller;
  const left = async () =>
    (await call('GET /patients/v2/statuses/P-1001')).body.map(
      (it: { PurchaseAmountDays: number; FlowerOuncesAvailable: number }) => [
        it.PurchaseAmountDays,
        it.FlowerOuncesAvailable,
      ],
    );
  expect(await left()).toEqual([
    [1, 0.5],
    [31, 5],
  ]);
  await patientSale(caller, 'P-1001', 3.5);
  expect((await left())[0]).toEqual([1, 0.5]);
  server.advance(60);
  expect(await left()).toEqual([
    [1, 0.3765],
    [31, 4.8765],
  ]);
  expect((await call('GET /patients/v2/statuses/P-9')).status).toBe(401);
  expect((await call('GET /caregivers/v2/status/C-2001')).body.Patients).toEqual(['P-1001']);
});

test.each([
  ['401', 401],
  ['500', 500],
  ['503', 503],
])('the look-up of patients may be switched off for everybody: %s', async (value, status) => {
  const { call } = await serve({ 'patient-status': value });
  expect((await call('GET /patients/v2/statuses/P-1001')).status).toBe(status);
  expect((await call('GET /packages/v2/active')).status).toBe(200);
});

test.each([
  ['accept', 200, null],
  ['400', 400, undefined],
  ['warn', 200, 'The sale exceeds the allotment of Patient P-1001.'],
])('a sale above the allotment of a patient: %s', async (value, status, warnings) => {
  const caller = await serve({ 'patient-limit': value });
  expect((await patientSale(caller, 'P-1001', 7)).body.Warnings).toBeNull();
  const above = await patientSale(caller, 'P-1001', 14);
  expect([above.status, above.body.Warnings]).toEqual([status, warnings]);
  expect((await patientSale(caller, 'P-1002', 1)).status).toBe(status);
});

test('warnings may come as an array', async () => {
  const caller = await serve({ 'patient-limit': 'warn', warnings: 'array' });
  const { body } = await patientSale(caller, 'P-1002', 1);
  expect(body.Warnings).toEqual(['Patient P-1002 is not active.']);
});

test('without the flag of member patients all their routes are 401', async () => {
  const { call } = await serve({}, { state: 'AK' });
  for (const path of ['statuses/P-1001', 'active', '1']) {
    expect((await call(`GET /patients/v2/${path}`)).status).toBe(401);
  }
});

test('members are registered, amended and removed; check-ins are listed by date', async () => {
  const { call } = await serve();
  const patient = {
    ...{
      LicenseNumber: 'P-5',
      LicenseEffectiveStartDate: '2026-01-01',
      LicenseEffectiveEndDate: '2027-01-01',
    },
    RecommendedPlants: 6,
  };
  const [id] = (await call('POST /patients/v2', { body: [patient] })).body.Ids;
  expect((await call('POST /patients/v2', { body: [patient] })).status).toBe(400);
  await call('PUT /patients/v2', { body: [{ ...patient, NewLicenseNumber: 'P-6' }] });
  expect((await call(`GET /patients/v2/${id}`)).body).toMatchObject({
    LicenseNumber: 'P-6',
    RecommendedPlants: 6,
  });
  await call(`DELETE /patients/v2/${id}`);
  expect((await call('GET /patients/v2/active')).body.Data).toEqual([]);
  const checkIn = { PatientLicenseNumber: 'P-6', CheckInLocationId: 4, CheckInDate: '2026-03-06' };
  expect(await call('POST /patient-checkins/v2', { body: [checkIn] })).toMatchObject({
    status: 200,
    body: undefined,
  });
  const listedOn = async (day: string) =>
    (await call(`GET /patient-checkins/v2?checkinDateStart=${day}&checkinDateEnd=${day}`)).body.Data;
  expect([(await listedOn('2026-03-06')).length, (await listedOn('2026-03-07')).length]).toEqual([1, 0]);
  const [{ Id }] = await listedOn('2026-03-06');
  await call('PUT /patient-checkins/v2', { body: [{ ...checkIn, Id, CheckInDate: '2026-03-07' }] });
  expect(await listedOn('2026-03-07')).toHaveLength(1);
  await call(`DELETE /patient-checkins/v2/${Id}`);
  expect(await listedOn('2026-03-07')).toEqual([]);
});

const incoming = async ({ call }: Caller, license: string = shop) =>
  (await call('GET /transfers/v2/incoming', { license })).body.Data;
const shippedOf = async ({ call }: Caller, deliveryId: number | string) =>
  call(`GET /transfers/v2/deliveries/${deliveryId}/packages`, { license: null });

test('an incoming transfer shows its delivery and shipped packages; people accept it, wholly or in parts', async () => {
  const caller = await serve();
  const { call, server } = caller;
  const [{ Id, DeliveryId, ManifestNumber, LastModified }] = await incoming(caller);
  const before = (await shippedOf(caller, DeliveryId)).body.Data;
  expect(before[0]).toMatchObject({ ShipmentPackageState: 'Shipped', ReceivedQuantity: null });
  const [whole, less, none] = before.map((it: { PackageLabel: string }) => it.PackageLabel);
  expect((await call(`GET /packages/v2/${whole}`)).status).toBe(401);
  server.people('accept-transfer', { id: Id, received: { [less]: 1.5, [none]: null } });
  const [after] = (await incoming(caller)).filter((it: { Id: number }) => it.Id === Id);
  expect(after).toMatchObject({ ReceivedPackageCount: 2, ReceivedDateTime: '2026-03-06T10:00:00-08:00' });
  expect(after.LastModified > LastModified).toBe(true);
  expect(
    (await shippedOf(caller, DeliveryId)).body.Data.map(
      (it: { ShipmentPackageState: string; ReceivedQuantity: number }) => it.ShipmentPackageState,
    ),
  ).toEqual(['Accepted', 'Accepted', 'Rejected']);
  expect((await call(`GET /packages/v2/${less}`)).body).toMatchObject({
    ...{
      Quantity: 1.5,
      ReceivedFromManifestNumber: ManifestNumber,
      ReceivedFromFacilityLicenseNumber: supplierLicense,
    },
    ...{ ReceivedFromFacilityName: 'Fern Valley Supply LLC', ReceivedDateTime: '2026-03-06T10:00:00-08:00' },
  });
  expect((await call(`GET /packages/v2/${none}`)).status).toBe(401);
  expect((await call('POST /transfers/v2/incoming/accept', { body: [{ Id }] })).status).toBe(404);
});

test.each([
  ['empty', 200, 0],
  ['401', 401, undefined],
  ['rows', 200, 1],
])('the deliveries of an incoming transfer: %s', async (value, status, count) => {
  const caller = await serve({ 'incoming-deliveries': value });
  const [{ Id }] = await incoming(caller);
  const answer = await caller.call(`GET /transfers/v2/${Id}/deliveries`, { license: null });
  expect([answer.status, answer.body.Data?.length]).toEqual([status, count]);
});

test('wholesale prices are 401 without their own right, and may be null', async () => {
  const caller = await serve();
  const [{ DeliveryId }, second] = await incoming(caller);
  const prices = async (id: number) =>
    caller.call(`GET /transfers/v2/deliveries/${id}/packages/wholesale`, { license: null });
  expect((await prices(DeliveryId)).body.Data[0]).toMatchObject({
    ...{ ShipperWholesalePrice: 240, ReceiverWholesalePrice: null },
  });
  expect((await prices(second.DeliveryId)).body.Data[0].ShipperWholesalePrice).toBeNull();
  caller.server.people('set-rights', { userKey: seededKeys.user, rights: ['View Transfers'] });
  expect((await prices(DeliveryId)).status).toBe(401);
  expect((await shippedOf(caller, DeliveryId)).status).toBe(200);
});

test('a transfer is voided, edited or returned with a new LastModified, and a returned package may come again', async () => {
  const caller = await serve();
  const { call, server } = caller;
  const [first, second] = await incoming(caller);
  const read = async (Id: number) => (await incoming(caller)).find((it: { Id: number }) => it.Id === Id);
  server.people('void-transfer', { id: second.Id });
  expect(await read(second.Id)).toMatchObject({ IsVoided: true });
  server.people('edit-transfer', { id: first.Id, members: { InvoiceNumber: 'I-1' } });
  const edited = await read(first.Id);
  expect([edited.InvoiceNumber, edited.LastModified > first.LastModified]).toEqual(['I-1', true]);
  server.people('accept-transfer', { id: first.Id });
  const [{ PackageLabel: label }] = (await shippedOf(caller, first.DeliveryId)).body.Data;
  server.people('return-transfer', { id: first.Id, labels: [label] });
  expect((await shippedOf(caller, first.DeliveryId)).body.Data[0].ShipmentPackageState).toBe('Returned');
  expect((await call(`GET /packages/v2/${label}`)).status).toBe(401);
  const again = server.people('ship-transfer', { license: shop, labels: [label] });
  server.people('accept-transfer', { id: again });
  expect((await call(`GET /packages/v2/${label}`)).status).toBe(200);
});

test('the manifest number is no delivery id', async () => {
  const caller = await serve();
  const [{ ManifestNumber, Id, DeliveryId }] = await incoming(caller);
  expect((await shippedOf(caller, ManifestNumber)).status).toBe(401);
  const pdf = (await caller.call(`GET /transfers/v2/manifest/${Id}/pdf`)).body;
  expect(Buffer.from(pdf.FileContents, 'base64').toString()).toContain(ManifestNumber);
  expect((await caller.call(`GET /transfers/v2/manifest/${Id}/html`)).body).toContain('<html>');
  for (const path of ['transporters', 'transporters/details']) {
    const { body } = await caller.call(`GET /transfers/v2/deliveries/${DeliveryId}/${path}`, {
      license: null,
    });
    expect(body.Data[0].ShipmentDeliveryId).toBe(DeliveryId);
  }
});

test.each([
  ['outgoing', 0, 9],
  ['incoming', 6, 0],
  ['both', 6, 9],
])('packages in transit: %s', async (value, toShop, fromSupplier) => {
  const { call, server } = await serve({ intransit: value });
  server.world.users.push({ key: 'supplier-key', name: 'S', licenses: [supplierLicense], rights: null });
  const count = async (license: string, user: string) =>
    (await call('GET /packages/v2/intransit', { license, user })).body.Total;
  expect(await count(shop, seededKeys.user)).toBe(toShop);
  expect(await count(supplierLicense, 'supplier-key')).toBe(fromSupplier);
  const outgoing = await call('GET /transfers/v2/outgoing', {
    license: supplierLicense,
    user: 'supplier-key',
  });
  expect(outgoing.body.Data[0]).toMatchObject({ DeliveryId: null, RecipientFacilityLicenseNumber: null });
});

test('lab results come row by row: not released first, then released, later revoked', async () => {
  const { call, server, counted } = await serve();
  const { id, label } = counted();
  const read = async () => (await call(`GET /labtests/v2/results?packageId=${id}`)).body.Data;
  expect(await read()).toHaveLength(2);
  const result = server.people('record-lab-result', { label, testType: 'Moisture', passed: false });
  const rowOf = async () => (await read()).at(-1);
  expect(await rowOf()).toMatchObject({
    TestTypeName: 'Moisture',
    ResultReleased: false,
    OverallPassed: false,
  });
  server.people('release-lab-result', { id: result });
  expect(await rowOf()).toMatchObject({ ResultReleased: true, RevokedDate: null });
  server.people('revoke-lab-result', { id: result });
  expect(await rowOf()).toMatchObject({ RevokedDate: '2026-03-06' });
  expect((await call(`GET /labtests/v2/results?packageId=${id}`, { license: secondShop })).status).toBe(401);
  server.people('edit-package', { label, members: { IsTestingSample: true } });
  expect((await call('GET /packages/v2/labsamples')).body.Data[0]).toMatchObject({
    TestTypeName: 'Moisture',
  });
});

const receivers: { close(): void }[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

/** A receiver of webhooks that answers 500 to the first calls. */
async function receiver(refusals = 0) {
  const got: { body: { data: { Id: number }[]; datacount: number }; headers: object }[] = [];
  let left = refusals;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ body: JSON.parse(body), headers: request.headers });
      left -= 1;
      response.writeHead(left >= 0 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  receivers.push({ close: () => server.close() });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

const hookHeaders = { 'x-metrc-auth': seededKeys.vendor };

/** Subscribes to receipts of the shop. */
const subscribe = async ({ call }: Caller, url: string, members: object = {}) => {
  const request = {
    ...{ objectType: 'SalesReceipt', url, verb: 'POST', status: 'Active', userApiKey: seededKeys.user },
    ...{ tpiApiKey: seededKeys.vendor, facilityLicenseNumbers: [shop], ...members },
  };
  return call('PUT /webhooks/v2', { license: null, headers: hookHeaders, body: [request] });
};

test('a PUT of a subscription answers 200 also if it names an error or a facility without permission', async () => {
  const caller = await serve();
  const bad = await subscribe(caller, 'https://shop.example/hook', {
    ...{ userApiKey: 'x', facilityLicenseNumbers: [shop, 'TEST-R-0003'] },
  });
  expect(bad).toMatchObject({
    status: 200,
    body: [
      {
        errorMessage: expect.any(String),
        facilities: [{ invalidPermission: true }, { invalidPermission: true }],
      },
    ],
  });
  const id = bad.body[0].subscriptionId;
  const hook = (at: string) => caller.call(at, { license: null, headers: hookHeaders });
  await hook(`PUT /webhooks/v2/disable/${id}`);
  expect((await hook('GET /webhooks/v2')).body[0].status).toBe('inactive');
  await hook(`PUT /webhooks/v2/enable/${id}`);
  await subscribe(caller, 'https://shop.example/hook', { subscriptionId: id });
  expect((await hook('GET /webhooks/v2')).body).toMatchObject([{ status: 'Active', errorMessage: null }]);
  caller.server.people('end-user-key', { userKey: seededKeys.user });
  expect((await hook('GET /webhooks/v2')).body[0].errorMessage).toContain('key');
  await hook(`DELETE /webhooks/v2/${id}`);
  expect((await hook('GET /webhooks/v2')).body).toEqual([]);
  expect((await caller.call('GET /webhooks/v2', { license: null })).status).toBe(401);
});

test('a webhook carries the whole object by the template, late by the switch, and is not signed', async () => {
  const caller = await serve({ 'hook-delay': '15' });
  const { url, got } = await receiver();
  await subscribe(caller, url, { template: '{"data":#DATA#,"datacount":#DATACOUNT#}' });
  caller.server.advance(1);
  const id = (await caller.sell()).body.Ids[0];
  expect(await caller.server.sendHooks()).toBe(0);
  caller.server.advance(15 * 60);
  expect([await caller.server.sendHooks(), await caller.server.sendHooks()]).toEqual([1, 0]);
  expect(got[0]!.body).toMatchObject({ data: [{ Id: id, Transactions: [expect.anything()] }], datacount: 1 });
  expect(Object.keys(got[0]!.headers).join()).not.toMatch(/sign/i);
});

test.each([
  [{ 'hook-copies': '2' }, 0, 8],
  [{ 'hook-loss': 'every-second' }, 0, 2],
  [{ 'hook-order': 'shuffled' }, 0, 4],
  [{ 'hook-retries': '3' }, 2, 6],
  [{ 'hook-retries': '0' }, 2, 4],
] as const)('webhooks are repeated, lost, shuffled and sent again: %j', async (switches, refusals, calls) => {
  const caller = await serve(switches);
  const { url, got } = await receiver(refusals);
  await subscribe(caller, url);
  caller.server.advance(1);
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await caller.sell()).body.Ids[0]);
  expect(await caller.server.sendHooks()).toBe(calls);
  const order = got.map(({ body }) => body.data[0]!.Id);
  expect(order).toHaveLength(calls);
  if ('hook-order' in switches) expect(order).not.toEqual(ids);
});
