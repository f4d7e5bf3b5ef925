import { expect, test } from 'vitest';
import { type Caller, line, messages, secondShop, serve, shop } from './state-call.test-support.ts';

const wall = (time: string) => `2026-03-06T${time}:00.000`;
const driver = {
  ...{ DriverName: 'D. Reyes', DriversLicenseNumber: 'D-1', PhoneNumberForQuestions: '555-0100' },
  ...{ VehicleMake: 'Ford', VehicleModel: 'Transit', VehicleLicensePlateNumber: '7ABC123' },
  EstimatedDepartureDateTime: wall('10:10'),
};
const trip = (lines: readonly object[], members: object = {}) => ({
  ...{ ...driver, SalesDateTime: wall('09:50'), SalesCustomerType: 'Consumer', RecipientName: 'K. Moss' },
  ...{ EstimatedArrivalDateTime: wall('11:00'), Transactions: lines },
  ...members,
});

const send = async ({ call }: Caller, body: object) => call('POST /sales/v2/deliveries', { body: [body] });
const sent = async (caller: Caller, body: object): Promise<number> => {
  const answer = await send(caller, body);
  expect([answer.status, answer.body]).toMatchObject([200, { Ids: [expect.any(Number)] }]);
  return answer.body.Ids[0];
};

test('a label may not come twice in a delivery', async () => {
  const caller = await serve();
  const { label } = caller.counted();
  expect((await send(caller, trip([line(label), line(label)]))).status).toBe(400);
});

test.each([
  ['CA', {}, 200],
  ['CA', { 'driver-employee-id': 'required' }, 400],
  ['NY', {}, 400],
  ['NY', { 'driver-employee-id': 'optional' }, 200],
] as const)('a delivery without the employee id of the driver: %s %j', async (state, switches, status) => {
  const caller = await serve(switches, { state });
  expect((await send(caller, trip([line(caller.counted().label)]))).status).toBe(status);
});

test('a delivery is listed without lines, read in full, edited by leaving lines out, and voided', async () => {
  const caller = await serve();
  const { call, counted, quantity } = caller;
  const [first, second] = [counted(0), counted(1)];
  const id = await sent(caller, trip([line(first.label), line(second.label)]));
  const [row] = (await call('GET /sales/v2/deliveries/active')).body.Data;
  expect(row).toMatchObject({
    Id: id,
    Transactions: [],
    TotalPackages: 2,
    TotalPrice: 36,
    RecipientName: 'K. Moss',
  });
  const full = (await call(`GET /sales/v2/deliveries/${id}`)).body;
  expect(full.Transactions).toHaveLength(2);
  expect(full).not.toHaveProperty('PhoneNumberForQuestions');
  await call('PUT /sales/v2/deliveries', { body: [trip([line(first.label)], { Id: id })] });
  expect([quantity(first.label), quantity(second.label)]).toEqual([first.quantity - 2, second.quantity]);
  await call(`DELETE /sales/v2/deliveries/${id}`);
  expect(quantity(first.label)).toBe(first.quantity);
  expect((await call('GET /sales/v2/deliveries/inactive')).body.Data[0].VoidedDate).toBe('2026-03-06');
});

test('completing: accepted lines stay sold, returned quantities go back, reasons and notes are checked', async () => {
  const caller = await serve();
  const { call, counted, quantity } = caller;
  const [first, second] = [counted(0), counted(1)];
  const Id = await sent(caller, trip([line(first.label), line(second.label)]));
  const complete = (ReturnReason: string, members: object = {}) =>
    call('PUT /sales/v2/deliveries/complete', {
      body: [
        {
          ...{
            Id,
            ActualArrivalDateTime: wall('11:05'),
            PaymentType: 'Cash',
            AcceptedPackages: [first.label],
          },
          ReturnedPackages: [
            {
              ...{
                Label: second.label,
                ReturnQuantityVerified: 1.5,
                ReturnUnitOfMeasure: 'Each',
                ReturnReason,
              },
              ReturnReasonNote: null,
            },
          ],
          ...members,
        },
      ],
    });
  expect(messages(await complete('Magic'))).toEqual(['0: Return Reason "Magic" is not valid.']);
  expect(messages(await complete('Theft'))).toEqual(['0: Return reason note was not specified.']);
  expect((await complete('Spoilage', { AcceptedPackages: [] })).status).toBe(400);
  expect((await complete('Spoilage')).status).toBe(200);
  expect([quantity(first.label), quantity(second.label)]).toEqual([
    first.quantity - 2,
    second.quantity - 0.5,
  ]);
  expect((await complete('Spoilage')).status).toBe(400);
});

test('New York has one reason of return, and no transfer type that is called Transfer', async () => {
  const { call } = await serve({}, { state: 'NY' });
  const namesOf = async (path: string) =>
    (await call(`GET /${path}`)).body.Data.map(({ Name }: { Name: string }) => Name);
  expect(await namesOf('sales/v2/deliveries/returnreasons')).toEqual(['Unable to Deliver']);
  expect(await namesOf('transfers/v2/types')).not.toContain('Transfer');
});

test.each([
  ['undesignated', 'Undesignated', 'Undesignated'],
  ['words', 'InProgress', 'Departed'],
])('states of deliveries and ledgers: %s', async (value, ofTrip, ofLedger) => {
  const caller = await serve({ 'state-words': value });
  const id = await sent(caller, trip([line(caller.counted().label)]));
  expect((await caller.call(`GET /sales/v2/deliveries/${id}`)).body.SalesDeliveryState).toBe(ofTrip);
  const run = await ledger(caller);
  await run('depart', { RetailerDeliveryId: run.id });
  expect((await run.read()).RetailerDeliveryState).toBe(ofLedger);
});

test('members are allowed and demanded by the flags of the facility', async () => {
  const caller = await serve();
  const body = trip([line(caller.counted().label)], { PlannedRoute: 'Main', RecipientAddressCity: 'Fern' });
  expect((await send(caller, body)).status).toBe(200);
  const flags = {
    ...{
      SalesDeliveryAllowCity: false,
      SalesDeliveryRequireConsumerId: true,
      SalesDeliveryRequireZone: true,
    },
  };
  caller.server.people('set-flags', { license: shop, flags });
  expect(messages(await send(caller, body))).toEqual([
    '0: "RecipientAddressCity" is not allowed at this Facility.',
    '0: "RecipientZoneId" was not specified.',
    '0: "ConsumerId" was not specified.',
  ]);
});

test('a hub carries the deliveries of other shops; its id may be text or a number', async () => {
  const caller = await serve();
  const { call, server } = caller;
  const lines = [line(caller.counted().label)];
  const Id = await sent(caller, trip(lines, { TransporterFacilityLicenseNumber: secondShop }));
  const hub = (path: string, body: object) =>
    call(`PUT /sales/v2/deliveries/hub${path}`, { body: [{ Id, ...body }], license: secondShop });
  expect((await hub('/accept', {})).status).toBe(401);
  server.people('set-flags', { license: secondShop, flags: { IsSalesDeliveryHub: true } });
  for (const TransporterFacilityId of ['7301', 7301]) {
    const body = { ...driver, TransporterFacilityId, EstimatedArrivalDateTime: wall('11:00') };
    expect((await hub('', body)).status).toBe(200);
  }
  for (const [path, body] of [
    ['/accept', {}],
    ['/depart', {}],
    ['/verifyID', { PaymentType: 'Cash' }],
  ] as const) {
    expect((await hub(path, body)).status).toBe(200);
  }
  expect((await call(`GET /sales/v2/deliveries/${Id}`)).body).toMatchObject({
    ...{ TransporterFacilityId: 7301, AcceptedDateTime: '2026-03-06T10:00:00-08:00' },
  });
});

/** Records a ledger with one stop and spare stock, and returns how to go on with it. */
async function ledger(caller: Caller) {
  const { call, counted } = caller;
  const [planned, spare] = [counted(0), counted(1)];
  const body = {
    ...{ ...driver, DateTime: wall('10:00') },
    Destinations: [
      {
        ...{ SalesCustomerType: 'Consumer', EstimatedArrivalDateTime: wall('11:00') },
        Transactions: [line(planned.label)],
      },
    ],
    Packages: [{ PackageLabel: spare.label, Quantity: 6, UnitOfMeasure: 'Each', TotalPrice: 60 }],
  };
  const post = (path: string, sentBody: object) =>
    call(`POST /sales/v2/deliveries/retailer${path}`, { body: [sentBody] });
  const recorded = await post('', body);
  expect(recorded).toMatchObject({ status: 200, body: { Ids: [expect.any(Number)] } });
  const id: number = recorded.body.Ids[0];
  return Object.assign((step: string, members: object) => post(`/${step}`, members), {
    ...{ id, body, planned, spare },
    read: async () => (await call(`GET /sales/v2/deliveries/retailer/${id}`)).body,
  });
}

test('a ledger: record, depart, sell from the spare stock, restock, end; what is unsold comes back', async () => {
  const caller = await serve();
  const { call, quantity, counted } = caller;
  const run = await ledger(caller);
  const { planned, spare, id } = run;
  expect([quantity(planned.label), quantity(spare.label)]).toEqual([
    planned.quantity - 2,
    spare.quantity - 6,
  ]);
  expect((await run.read()).AllowFullEdit).toBe(true);
  expect((await call('GET /sales/v2/deliveries/retailer/active')).body.Data[0]).toMatchObject({
    ...{ Id: id, Destinations: [], Packages: [], TotalPackages: 2 },
  });
  expect((await call(`GET /packages/v2/${spare.label}`)).body.IsOnRetailerDelivery).toBe(true);
  expect((await run('depart', { RetailerDeliveryId: id })).body).toBeUndefined();
  const sale = { RetailerDeliveryId: id, SalesCustomerType: 'Consumer', SalesDateTime: wall('10:30') };
  const tooMuch = [line(spare.label, { Quantity: 7 })];
  expect((await run('sale', { ...sale, Transactions: tooMuch })).status).toBe(400);
  expect((await run('sale', { ...sale, Transactions: [line(spare.label)] })).status).toBe(200);
  const more = counted(2);
  const Packages = [{ PackageLabel: more.label, Quantity: 3, UnitOfMeasure: 'Each', TotalPrice: 30 }];
  const restock = { RetailerDeliveryId: id, DateTime: wall('12:00'), Destinations: null, Packages };
  expect((await run('restock', restock)).status).toBe(200);
  expect(await run.read()).toMatchObject({ Leg: 2, AllowFullEdit: false });
  const end = (EndQuantity: number) =>
    run('end', {
      ...{ RetailerDeliveryId: id, ActualArrivalDateTime: wall('13:00') },
      Packages: [{ Label: spare.label, EndQuantity, EndUnitOfMeasure: 'Each' }],
    });
  expect((await end(5)).status).toBe(400);
  expect((await end(4)).status).toBe(200);
  expect([quantity(spare.label), quantity(more.label)]).toEqual([spare.quantity - 2, more.quantity - 3]);
  expect((await call(`GET /packages/v2/${spare.label}`)).body.IsOnRetailerDelivery).toBe(false);
  expect((await call('GET /sales/v2/deliveries/retailer/inactive')).body.Data).toHaveLength(1);
});

test('the steps of a ledger in a wrong order are refused; before departing it can be edited and voided', async () => {
  const caller = await serve();
  const { call, quantity } = caller;
  const run = await ledger(caller);
  const { id, body, spare } = run;
  for (const step of ['end', 'restock', 'sale']) {
    const members = {
      ...{ RetailerDeliveryId: id, ActualArrivalDateTime: wall('13:00'), DateTime: wall('12:00') },
      ...{ SalesCustomerType: 'Consumer', Transactions: [line(spare.label)] },
    };
    expect([step, (await run(step, members)).status]).toEqual([step, 400]);
  }
  const put = { body: [{ ...body, Id: id, Packages: [] }] };
  expect((await call('PUT /sales/v2/deliveries/retailer', put)).body.Ids).toEqual([id]);
  expect(quantity(spare.label)).toBe(spare.quantity);
  await run('depart', { RetailerDeliveryId: id });
  expect((await run('depart', { RetailerDeliveryId: id })).status).toBe(400);
  expect((await call('PUT /sales/v2/deliveries/retailer', put)).status).toBe(400);
  await call(`DELETE /sales/v2/deliveries/retailer/${id}`);
  expect((await run.read()).VoidedDate).toBe('2026-03-06');
});

test('without the flag of ledgers their routes are 401', async () => {
  const { call } = await serve({}, { state: 'OR' });
  expect((await call('GET /sales/v2/deliveries/retailer/active')).status).toBe(401);
});

test.each([
  ['400', 400],
  ['accept', 200],
])('a receipt for a package that is on an open ledger: %s', async (value, status) => {
  const caller = await serve({ 'ledger-sale': value });
  const { spare } = await ledger(caller);
  expect((await caller.sell({}, [line(spare.label)])).status).toBe(status);
});
