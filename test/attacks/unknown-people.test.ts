import { afterAll, expect, test } from 'vitest';
import { StatementRecorder } from '../../bench/recorded-statements.ts';
import type { AnyEndpoint, StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import {
  type ContractRequest,
  idPlaces,
  nowhereId,
  send,
  validRequest,
  withIdAt,
} from '../contract/contract-world.ts';
import { createStaffTenant, sendAs, staffRequest } from '../contract/staff-world.ts';
import { startTestService, type TestReply } from '../harness/test-service.ts';
import { pickupBody, type TestShop, testOrigin } from '../harness/test-shop.ts';

/*
 * A person of another organization and an unknown person get the same answer after the same work: the statements are
 * equal one by one, so timing does not distinguish them.
 */

// Before the first connection, to see the statements being prepared.
const recorder = new StatementRecorder();
const service = await startTestService();
afterAll(() => service.close());
const [home, stranger] = [await createStaffTenant(service), await createStaffTenant(service)];
const owner = await service.staff(home.shop);

/** The contacts of a person; test people differ only in these. */
const contactsOf = (name: string, digits: string) => ({
  email: `${name}@customers.example.com`,
  phone: digits,
});
const foreigner = { ...contactsOf('foreign', '+14155552671'), id: await personOf(stranger.shop) };
const unknownPerson = { ...contactsOf('unknown0', '+14155552672'), id: Number(nowhereId(foreigner.id)) };
type Person = typeof unknownPerson;

async function personOf({ organizationId }: TestShop): Promise<number> {
  const [person] = await importCustomers(service.context, testOrigin, organizationId, [
    {
      ...{ firstName: 'Marisol', lastName: 'Okafor', ...contactsOf('foreign', '+14155552671') },
      ...{ birthday: null, sex: null, zip: null, licenseExpiry: null, medicalExpiration: null },
      ...{ marketingOptInAtMs: null, joinedAtMs: 0 },
    },
  ]);
  return person!.id;
}

/** The places in a request that identify a person, each separately. */
type Naming = readonly [place: string, (request: ContractRequest, person: Person) => ContractRequest];

/** The body omits the other ways to identify the person. */
function withoutPerson(request: ContractRequest): ContractRequest {
  const { customerId: _, customer: __, person: ___, ...body } = request.body as Record<string, unknown>;
  return { ...request, body };
}

function namingsIn(endpoint: AnyEndpoint): Naming[] {
  const byId = idPlaces(endpoint)
    .filter(({ part, name }) => part !== 'query' && /^(?:into)?(?:customer|user)Id$/i.test(name))
    .map(
      (place): Naming => [
        `${place.part} ${place.path.join('.')}`,
        (request, { id }) => withIdAt(place.part === 'body' ? withoutPerson(request) : request, place, id),
      ],
    );
  const fields = Object.keys((endpoint.body as { properties?: object } | undefined)?.properties ?? {});
  const inBody = (field: string, of: (person: Person) => string): Naming[] =>
    fields.includes(field)
      ? [
          [
            `body ${field}, ${of(unknownPerson)}`,
            (request, person) => {
              const named = withoutPerson(request);
              return { ...named, body: { ...(named.body as object), [field]: of(person) } };
            },
          ],
        ]
      : [];
  const [email, phone] = [(person: Person) => person.email, (person: Person) => person.phone];
  return [
    ...byId,
    ...['emailOrPhone', 'customerEmail'].flatMap((field) => inBody(field, email)),
    ...['emailOrPhone', 'customerPhone'].flatMap((field) => inBody(field, phone)),
  ];
}

/** The reply without values that are new in each, and the statements up to it. */
async function trace({ id }: Person, ask: () => Promise<TestReply>) {
  let reply: TestReply | undefined;
  const batches = await recorder.record(async () => {
    reply = await ask();
  });
  const { 'x-request-id': _, date: __, 'content-length': ___, ...headers } = reply!.headers;
  return {
    ...{ status: reply!.status, headers },
    // Some replies repeat the sent id.
    text: reply!.text.replaceAll(String(id), '<id>'),
    statements: batches.map((batch) => batch.map(({ name }) => name)),
  };
}

const asking = (of: readonly AnyEndpoint[]) =>
  of
    .filter(({ failures }) => failures.includes('USER_NOT_FOUND'))
    .flatMap((endpoint) =>
      namingsIn(endpoint).map(([place, naming]) => [`${endpoint.id}, ${place}`, endpoint, naming] as const),
    );
const integrators = asking(service.endpoints);
const staff = asking(service.staffEndpoints);

test.each([...integrators, ...staff])(
  "%s: another organization's person is unknown, after the same statements",
  async (_, endpoint, naming) => {
    const isStaff = 'roles' in endpoint;
    const asked = async (person: Person) => {
      const request = naming(
        isStaff ? await staffRequest(service, endpoint as StaffEndpoint, home) : validRequest(endpoint, home),
        person,
      );
      return trace(person, () =>
        isStaff
          ? sendAs(service, owner, endpoint as StaffEndpoint, request)
          : send(service, endpoint, request, { keys: home.shop.keys }),
      );
    };
    // The first request fills the caches of keys, sessions and others.
    await asked(unknownPerson);
    const foreign = await asked(foreigner);
    expect(foreign).toEqual(await asked(unknownPerson));
    // A path may have the id of a document after that of the person; then the document is not found.
    const code = 'documentId' in endpoint.resourceParams ? 'DOCUMENT_NOT_FOUND' : 'USER_NOT_FOUND';
    expect([foreign.status, JSON.parse(foreign.text).error.code]).toEqual([404, code]);
    expect(foreign.statements.flat().length).toBeGreaterThan(0);
  },
);

/** Members of staff, and their sessions, as the operations of owners name them. */
const colleague = await service.staff(stranger.shop, 'budtender');
const staffPlaces = service.staffEndpoints.flatMap((endpoint) =>
  idPlaces(endpoint)
    .filter(({ part, name }) => part !== 'query' && ['staffId', 'sessionId'].includes(name))
    .map((place) => [`${endpoint.id}, ${place.part} ${place.name}`, endpoint, place] as const),
);

test.each(staffPlaces)(
  "%s: another organization's member of staff is unknown, after the same statements",
  async (_, endpoint, place) => {
    const id = place.name === 'staffId' ? colleague.staffId : colleague.sessionId;
    const asked = async (named: string | number) => {
      const request = withIdAt(await staffRequest(service, endpoint, home), place, named);
      const person = { ...unknownPerson, id: Number(named) };
      return trace(person, () => sendAs(service, owner, endpoint, request));
    };
    const unknownId = nowhereId(id);
    await asked(unknownId);
    const foreign = await asked(id);
    expect(foreign).toEqual(await asked(unknownId));
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect(foreign.status).toBeLessThan(500);
  },
);

/** Operations that take the contact of any person: of one who is known elsewhere as of one who is not. */
const takers: Readonly<Record<string, (person: Person, fresh: string) => Promise<TestReply>>> = {
  'a search of customers': ({ email }) =>
    owner.call('GET', '/staff/v1/customers', undefined, { query: { search: email } }),
  'a search of orders': ({ email }) =>
    owner.call('GET', '/staff/v1/orders', undefined, { query: { search: email } }),
  'the orders of a customer': ({ id }) =>
    service.call('GET', '/api/v1/orders', { keys: home.shop.keys, query: { userId: id } }),
  'a cart': ({ email }) =>
    service.call('POST', '/api/v1/orders/pricing', {
      keys: home.shop.keys,
      body: pickupBody(home.shop, { customer: { firstName: 'Ada', lastName: 'Moreno', email } }),
    }),
  'a new customer': ({ email }, fresh) =>
    owner.call('POST', '/staff/v1/customers', { firstName: 'Ada', lastName: fresh, email }),
  'an invitation of staff': ({ email }, fresh) =>
    owner.call('POST', '/staff/v1/staff', { firstName: 'Ada', lastName: fresh, role: 'budtender', email }),
};

test.each(Object.entries(takers))(
  '%s is answered the same for a person of another organization',
  async (_, ask) => {
    const shape = async (person: Person, fresh: string) => {
      const { status, error, statements } = await trace(person, () => ask(person, fresh)).then((traced) => ({
        ...traced,
        error: JSON.parse(traced.text).error?.code,
      }));
      return { status, error, statements: statements.flat().filter((name) => name !== 'take_id_block') };
    };
    const strangers = [3, 4].map((at) => ({
      ...contactsOf(`unknown${at}`, `+1415555268${at}`),
      id: unknownPerson.id,
    }));
    await shape(strangers[0]!, 'Moreno');
    const foreign = await shape(foreigner, 'Moreno');
    expect(foreign).toEqual(await shape(strangers[1]!, 'Moreno'));
    expect(foreign.status).toBeLessThan(300);
  },
);

test('every way to identify a person is tried', () => {
  expect(integrators.map(([name]) => name)).toEqual([
    'getCustomer, params customerId',
    'addCustomerToGroup, body emailOrPhone, unknown0@customers.example.com',
    'addCustomerToGroup, body emailOrPhone, +14155552672',
    'removeCustomerFromGroup, body emailOrPhone, unknown0@customers.example.com',
    'removeCustomerFromGroup, body emailOrPhone, +14155552672',
    'addLoyaltyEvent, body customerId',
    'addLoyaltyEvent, body customerEmail, unknown0@customers.example.com',
    'addLoyaltyEvent, body customerPhone, +14155552672',
    'uploadCustomerDocument, params customerId',
  ]);
  expect(staff.length).toBeGreaterThan(14);
  expect(staffPlaces.length).toBeGreaterThan(5);
});

/** Fields that name a person, and no goods or own settings. */
const personal =
  /^(?:(?:into)?customerId|userId|staffId|sessionId|email|phone|emailOrPhone|customerEmail|customerPhone|customer|person)$/;
/** Which take the contacts or the token of the person who asks, or of a person whom they make known here; each has its proof. */
const provedElsewhere: Readonly<Record<string, string>> = {
  priceCart: 'a cart, above',
  placeOrder: 'a cart, above; src/shop/orders/unproven-callers.test.ts',
  listOrders: 'the orders of a customer, above',
  createCustomer: 'a new customer, above',
  inviteStaff: 'an invitation of staff, above',
  ...Object.fromEntries(
    ['requestCustomerCode', 'startCustomerSession', 'signIn', 'requestPasswordReset'].map((id) => [
      id,
      'equal-work.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    [
      ...[
        'createPurchaseOrder',
        'updatePurchaseOrder',
        'staffCreatePurchaseOrder',
        'staffUpdatePurchaseOrder',
      ],
      ...['createInventoryVendor', 'replaceInventoryVendor'],
    ].map((id) => [id, 'the contact of a vendor, which is only stored']),
  ),
  updateOrganization: "the shop's own contact",
};

test('no operation names a person in a way that is not tried', () => {
  const tried = new Set([...integrators, ...staff, ...staffPlaces].map(([name]) => name.split(',', 1)[0]));
  const untried = [...service.endpoints, ...service.staffEndpoints]
    .filter(({ id, params, query, body }) => {
      const names = [params, query, body].flatMap(namesIn);
      return names.some((name) => personal.test(name)) && !tried.has(id) && provedElsewhere[id] === undefined;
    })
    .map(({ id }) => id);
  expect(untried).toEqual([]);
});

function namesIn(schema: unknown): string[] {
  const { properties = {}, items, anyOf = [] } = (schema ?? {}) as Record<string, never>;
  return [
    ...Object.entries(properties as object).flatMap(([name, inner]) => [name, ...namesIn(inner)]),
    ...(items ? namesIn(items) : []),
    ...(anyOf as unknown[]).flatMap(namesIn),
  ];
}
