import { afterAll, expect, test } from 'vitest';
import { StatementRecorder } from '../../bench/recorded-statements.ts';
import { importCustomers } from '../../src/customers/customers.ts';
import type { AnyEndpoint, StaffEndpoint } from '../../src/http/endpoint.ts';
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
import { type TestShop, testOrigin } from '../harness/test-shop.ts';

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
});
