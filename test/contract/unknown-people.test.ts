import { afterAll, expect, test } from 'vitest';
import { StatementRecorder } from '../../bench/recorded-statements.ts';
import { importCustomers } from '../../src/customers/customers.ts';
import type { AnyEndpoint, StaffEndpoint } from '../../src/http/endpoint.ts';
import { startTestService, type TestReply } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import { type ContractRequest, idPlaces, nowhereId, send, validRequest, withIdAt } from './contract-world.ts';
import { createStaffTenant, sendAs, staffRequest } from './staff-world.ts';

/*
 * A person of another organization and one who is nobody are answered alike, and after the same work: the statements of
 * both are the same, one by one, so that there is no time to tell them by.
 */

// Before the first connection: it has to see the statements being prepared.
const recorder = new StatementRecorder();
const service = await startTestService();
afterAll(() => service.close());
const [home, stranger] = [await createStaffTenant(service), await createStaffTenant(service)];
const owner = await service.staff(home.shop);

/** Of two people who are told apart by nothing else. */
const contactsOf = (name: string, digits: string) => ({
  email: `${name}@customers.example.com`,
  phone: digits,
});
const foreigner = { ...contactsOf('foreign', '+14155552671'), id: await personOf(stranger.shop) };
const nobody = { ...contactsOf('nobody0', '+14155552672'), id: Number(nowhereId(foreigner.id)) };
type Person = typeof nobody;

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

/** Where a request says who is meant, each way by itself. */
type Naming = readonly [place: string, (request: ContractRequest, person: Person) => ContractRequest];

/** The other ways in a body to say who is meant go without. */
function namingNobody(request: ContractRequest): ContractRequest {
  const { customerId: _, customer: __, person: ___, ...body } = request.body as Record<string, unknown>;
  return { ...request, body };
}

function namingsIn(endpoint: AnyEndpoint): Naming[] {
  const byId = idPlaces(endpoint)
    .filter(({ part, name }) => part !== 'query' && /^(?:into)?(?:customer|user)Id$/i.test(name))
    .map(
      (place): Naming => [
        `${place.part} ${place.path.join('.')}`,
        (request, { id }) => withIdAt(place.part === 'body' ? namingNobody(request) : request, place, id),
      ],
    );
  const fields = Object.keys((endpoint.body as { properties?: object } | undefined)?.properties ?? {});
  const inBody = (field: string, of: (person: Person) => string): Naming[] =>
    fields.includes(field)
      ? [
          [
            `body ${field}, ${of(nobody)}`,
            (request, person) => {
              const named = namingNobody(request);
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

/** The reply but for what is new in each, and the statements up to it. */
async function trace({ id }: Person, ask: () => Promise<TestReply>) {
  let reply: TestReply | undefined;
  const batches = await recorder.record(async () => {
    reply = await ask();
  });
  const { 'x-request-id': _, date: __, 'content-length': ___, ...headers } = reply!.headers;
  return {
    ...{ status: reply!.status, headers },
    // Some say again which id was sent.
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
  "%s: another organization's is nobody, after the same statements",
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
    // Keys, sessions and what is kept ready are looked up by the first to come.
    await asked(nobody);
    const foreign = await asked(foreigner);
    expect(foreign).toEqual(await asked(nobody));
    // Behind the id of a person there may be that of a document, which is then what is not found.
    const code = 'documentId' in endpoint.resourceParams ? 'DOCUMENT_NOT_FOUND' : 'USER_NOT_FOUND';
    expect([foreign.status, JSON.parse(foreign.text).error.code]).toEqual([404, code]);
    expect(foreign.statements.flat().length).toBeGreaterThan(0);
  },
);

test('every way to name a person is tried', () => {
  expect(integrators.map(([name]) => name)).toEqual([
    'getCustomer, params customerId',
    'addCustomerToGroup, body emailOrPhone, nobody0@customers.example.com',
    'addCustomerToGroup, body emailOrPhone, +14155552672',
    'removeCustomerFromGroup, body emailOrPhone, nobody0@customers.example.com',
    'removeCustomerFromGroup, body emailOrPhone, +14155552672',
    'addLoyaltyEvent, body customerId',
    'addLoyaltyEvent, body customerEmail, nobody0@customers.example.com',
    'addLoyaltyEvent, body customerPhone, +14155552672',
    'uploadCustomerDocument, params customerId',
  ]);
  expect(staff.length).toBeGreaterThan(14);
});
