import { afterAll, describe, expect, inject, test } from 'vitest';
import { type StaffRole, staffRoles } from '../../src/kernel/staff-roles.ts';
import type { StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import { onDatabase } from '../harness/test-connection.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { openWitness } from '../harness/witness.ts';
import {
  type ContractRequest,
  type IdPlace,
  idOf,
  idPlaces,
  idsIn,
  idsOf,
  nowhereId,
  pathOf,
  send,
  signature,
  withIdAt,
} from './contract-world.ts';
import { expectGolden, expectGoldenAudit } from './golden-replies.ts';
import { factFaults, replyFaults } from './reply-schema.ts';
import {
  type FieldSchema,
  fieldName,
  fieldsOf,
  withoutPlace,
  withValueAt,
  wrongTypeOf,
} from './request-fields.ts';
import { createStaffTenant, endsItsSession, memberOf, sendAs, staffRequest } from './staff-world.ts';

const service = await startOwnTestService();
const [home, stranger] = [await createStaffTenant(service), await createStaffTenant(service)];
const witness = await openWitness(service.database);
/** The same database without the wall of row-level security, which superusers pass: the queries alone keep organizations apart. */
const [{ name: databaseName }] = await witness.query('select current_database() as name');
const superuser = onDatabase(inject('server').admin, databaseName);
const unwalled = await startOwnTestService({ database: { ...service.database, serving: superuser } });
const strangersIds = await idsOf(witness, stranger);
afterAll(async () => {
  await witness.end();
  await unwalled.close();
  await service.close();
});
const { staffEndpoints } = service;
const { organizationId } = home.shop;
/** The caller of an operation of the home shop; an operation that ends its session gets a separate one. */
const memberFor = ({ id }: StaffEndpoint, role: StaffRole = 'owner') =>
  endsItsSession.has(id) ? service.staff(home.shop, role) : memberOf(service, home, role);
/** A signed-out session, and one of a disabled account. */
const [revoked, disabled] = [await service.staff(home.shop), await service.staff(home.shop)];
await revoked.call('DELETE', '/staff/v1/sessions/current');
await witness.query(
  'update staff_members set disabled_at = now() where id = $1',
  [disabled.staffId],
  organizationId,
);
/** One request of the home shop for all refusals of an operation: it stays valid, since it is never executed. */
const refusedRequest = memoized((endpoint) => staffRequest(service, endpoint, home));
const strangersRequest = memoized((endpoint) => staffRequest(service, endpoint, stranger));
/** One execution of an operation by a member in one of its roles, and what surrounds it. */
const executed = memoized(async (endpoint) => {
  const roles = staffRoles.filter((it) => executes(endpoint, it));
  // By the id: a new operation must not change the role, and so the golden file, of those after it.
  const role = roles[endpoint.id.length % roles.length];
  const member = await memberFor(endpoint, role);
  const request = await staffRequest(service, endpoint, home);
  const requestId = `executed-${endpoint.id}`;
  const before = await contentsOf(organizationId);
  const reply = await sendAs(service, member, endpoint, request, { 'x-request-id': requestId });
  const after = await contentsOf(organizationId);
  return { role, member, reply, before, after, ...(await announced(requestId)) };
});
/** The audit entries of a request, and the events of their transaction; read at once, because publishing changes an event's row. */
async function announced(requestId: string) {
  const entries = await witness.query(
    'select actor, action, details, subject_id, xmin::text as tx from audit_entries where request_id = $1 order by id',
    [requestId],
    organizationId,
  );
  const events = await witness.query(
    'select type, subject_id, payload from outbox_events where xmin::text = $1 order by id',
    [entries[0]?.tx ?? ''],
    organizationId,
  );
  return { entries, events };
}
/** Roles that are served for what they began themselves: an owner begins what a request names. */
const onlyTheirOwn: Readonly<Record<string, readonly StaffRole[]>> = {
  closeDrawer: ['budtender'],
  endStaffSession: ['manager', 'budtender', 'inventory'],
};
const executes = (endpoint: StaffEndpoint, role: StaffRole) =>
  isServed(endpoint, role) && !(onlyTheirOwn[endpoint.id]?.includes(role) ?? false);
const isServed = ({ roles }: StaffEndpoint, role: StaffRole) => role === 'owner' || roles.includes(role);
const each = (endpoints: readonly StaffEndpoint[]) => endpoints.map((it) => [it.id, it] as const);
/** They need an identity provider that answers: src/access/sign-in/identity-sign-in.test.ts has one. */
const provedWithProvider = ['beginIdentitySignIn', 'signInWithIdentity'];
const guarded = staffEndpoints.filter(({ roles }) => roles !== 'anyone');
const alone = staffEndpoints.filter(({ id }) => !provedWithProvider.includes(id));

test('each operation has a name, a method and path of its own', () => {
  const names = [...staffEndpoints, ...service.endpoints].map(({ id }) => id);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const places = staffEndpoints.map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  const open = staffEndpoints.filter(({ roles }) => roles === 'anyone').map(({ id }) => id);
  expect(open).toEqual([
    'signIn',
    'finishSignIn',
    'beginPasskeySignIn',
    'signInWithPasskey',
    'beginIdentitySignIn',
    'signInWithIdentity',
    'requestPasswordReset',
    'resetPassword',
    'receivePaymentEvent',
    'acceptStaffInvite',
  ]);
});

describe.each(each(guarded))('%s', (_, endpoint) => {
  test('answers every request without a session with the same 401, and writes nothing', async () => {
    const request = await refusedRequest(endpoint);
    const before = await contentsOf(organizationId);
    const bodies = new Set<string>();
    const others = [
      { keys: home.shop.keys },
      { headers: bearerHeader(revoked.token) },
      { headers: bearerHeader(disabled.token) },
      { headers: bearerHeader(home.shop.keys.clientKey) },
      { headers: { cookie: `dispensary_session=${revoked.token}` } },
    ];
    for (const options of [{}, ...others]) {
      const { status, text } = await send(service, endpoint, request, options);
      bodies.add(`${status} ${text}`);
    }
    expect([...bodies]).toEqual([expect.stringMatching(/^401 .*INVALID_API_CREDENTIALS/)]);
    expect(await contentsOf(organizationId)).toEqual(before);
  });

  test('serves owners and its roles, and answers 403 to every other', async () => {
    const { role: first, reply } = await executed(endpoint);
    expect([first, reply.status, reply.error]).toEqual([first, endpoint.success.status, undefined]);
    for (const role of staffRoles.filter((it) => it !== first && executes(endpoint, it))) {
      const request = await staffRequest(service, endpoint, home);
      const { status, error } = await sendAs(service, await memberFor(endpoint, role), endpoint, request);
      expect([role, status, error]).toEqual([role, endpoint.success.status, undefined]);
    }
    const refused = staffRoles.filter((role) => !isServed(endpoint, role));
    if (refused.length === 0) return;
    const members = await Promise.all(refused.map((role) => memberFor(endpoint, role)));
    const request = await refusedRequest(endpoint);
    const before = await contentsOf(organizationId);
    for (const member of members) {
      const { status, error } = await sendAs(service, member, endpoint, request);
      expect([member.role, status, error?.code]).toEqual([member.role, 403, 'INSUFFICIENT_PERMISSIONS']);
    }
    expect(await contentsOf(organizationId)).toEqual(before);
  });
});

describe.each(each(guarded.filter(({ method }) => method !== 'GET')))('%s', (_, endpoint) => {
  test('does nothing for a cookie from a page of another site', async () => {
    const { token } = await memberFor(endpoint);
    const headers = { cookie: `dispensary_session=${token}`, origin: 'https://evil.example.com' };
    const request = await refusedRequest(endpoint);
    const before = await contentsOf(organizationId);
    const reply = await send(service, endpoint, request, { headers });
    expect([reply.status, reply.error?.code]).toEqual([403, 'CROSS_ORIGIN_REQUEST']);
    expect(await contentsOf(organizationId)).toEqual(before);
  });
});

describe.each(each(alone))('%s', (id, endpoint) => {
  const faultsOf = replyFaults(endpoint);

  test('answers in its declared shape and with the fields of its golden file, as its example does', async () => {
    const { example, metaExample, status } = endpoint.success;
    const { reply } = await executed(endpoint);
    expect([reply.status, reply.error]).toEqual([status, undefined]);
    const isFile = endpoint.success.file?.includes(reply.headers['content-type']!) ?? false;
    const body = reply.text === '' || isFile ? undefined : JSON.parse(reply.text);
    expect(faultsOf(body)).toEqual([]);
    await expectGolden('replies', id, [body]);
    if (example !== undefined) {
      expect(faultsOf({ data: example, ...(metaExample !== undefined && { meta: metaExample }) })).toEqual(
        [],
      );
    }
    expect(unexpectedFaults()).toEqual([]);
  });

  test("answers another organization's ids like unknown ids, and shows none, by its queries alone", async () => {
    const member = await memberFor(endpoint);
    if (endpoint.kind === 'read') {
      const own = await sendAs(unwalled, member, endpoint, await staffRequest(service, endpoint, home));
      expect([own.status, own.error]).toEqual([endpoint.success.status, undefined]);
      expect(idsIn(own.data).filter((it) => strangersIds.has(it))).toEqual([]);
    }
    for (const place of idPlaces(endpoint)) {
      const where = `${place.part} ${place.path.join('.')}`;
      const request = await refusedRequest(endpoint);
      const ofStranger = await strangersRequest(endpoint);
      const foreign = await strangersId(endpoint, place, ofStranger);
      if (foreign === undefined) continue;
      const before = await contentsOf(stranger.shop.organizationId);
      const ask = async (value: string | number) =>
        signature(await sendAs(unwalled, member, endpoint, withIdAt(request, place, value)), value);
      const foreignReply = await ask(foreign);
      expect([where, foreignReply]).toEqual([where, await ask(nowhereId(foreign))]);
      const isFilter = place.part === 'query' && /^200 \{"data":\[\]/.test(foreignReply);
      // Each of several carts has its own answer.
      const isAnsweredInPlace = place.part === 'body' && /^200 .*"problem":"[^"]*<id>/.test(foreignReply);
      if (!isFilter && !isAnsweredInPlace)
        expect([where, foreignReply]).toEqual([where, expect.stringMatching(/^4\d\d /)]);
      expect(await contentsOf(stranger.shop.organizationId)).toEqual(before);
    }
    const inPath = idPlaces(endpoint).filter(({ part }) => part === 'params');
    expect(Object.keys(endpoint.resourceParams)).toEqual(inPath.map(({ name }) => name));
    expect(unwalled.faults).toEqual([]);
    expect(unexpectedFaults()).toEqual([]);
  });
});

test('each operation has a summary and declares its refusals', () => {
  for (const endpoint of staffEndpoints) {
    const { id, summary, resourceParams } = endpoint;
    expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect([id, summary]).not.toEqual([id, '']);
    expect(new Set(possibleErrorCodes(endpoint)).size, id).toBeGreaterThanOrEqual(5);
    for (const [name, code] of Object.entries(resourceParams)) {
      const path = pathOf(endpoint, { [name]: 'there' });
      expect([id, name, path]).toEqual([id, name, expect.stringContaining('/there')]);
      expect([id, name, code]).toEqual([id, name, expect.stringMatching(/_NOT_FOUND$/)]);
    }
  }
});

describe.each(each(staffEndpoints.filter(({ body }) => body)))('%s', (_, endpoint) => {
  test('names the absent field or the field of a wrong type, and writes nothing', async () => {
    const schema = endpoint.body as FieldSchema;
    const member = await memberFor(endpoint);
    const request = await refusedRequest(endpoint);
    const before = await contentsOf(organizationId);
    for (const { path, schema: field, isRequired } of fieldsOf(schema)) {
      const name = fieldName(path);
      const { 'x-error-code': code = 'INVALID_PARAMS', ...type } = field;
      const wrong = withValueAt(request.body, schema, path, noTypeOf(type));
      const { error } = await sendAs(service, member, endpoint, { ...request, body: wrong });
      if (!valueAt(request.body, path.slice(0, -1))) {
        // The created parents of the field may be refused first.
        expect([name, error?.code]).toEqual([name, expect.stringMatching(/^(?:INVALID|MISSING)_/)]);
        continue;
      }
      // Fields that a field requires are checked first.
      if (!(endpoint.alsoMissing && error?.code === 'MISSING_PARAMS')) {
        expect([name, error?.code, error?.message]).toEqual([name, code, expect.stringContaining(name)]);
      }
      if (!isRequired) continue;
      const without = withoutPlace(request.body, schema, path);
      const reply = await sendAs(service, member, endpoint, { ...request, body: without });
      expect([name, reply.error?.code]).toEqual([name, 'MISSING_PARAMS']);
      expect(reply.error?.meta).toMatchObject({ missing: expect.arrayContaining([name]) });
    }
    expect(await contentsOf(organizationId)).toEqual(before);
  });
});

/**
 * In two parts. A payment is committed before its provider hears of it: what the provider says is another change. An exchange and a
 * change of person are one transaction of two writes, each behind a savepoint; so are the steps of a trip with those of its orders.
 */
const partsOf: Readonly<Record<string, number>> = {
  ...{ staffCreatePaymentIntent: 2, exchangeGoods: 2, signInByPin: 2 },
  ...{ loadTrip: 3, unloadTrip: 3, restockTrip: 3, departTrip: 2, returnTrip: 3, closeTrip: 2 },
  ...{ arriveAtStop: 2, refuseStop: 2, leaveStop: 2, deliverAtStop: 2 },
};

describe.each(each(alone.filter(({ kind }) => kind === 'write')))('%s', (id, endpoint) => {
  test('leaves an audit entry and an event in the transaction of its change', async () => {
    const { member, reply, before, after, entries, events } = await executed(endpoint);
    expect([reply.status, reply.error]).toEqual([endpoint.success.status, undefined]);
    await expectGoldenAudit(id, entries);
    if (entries.length === 0) {
      // A change without effect is no change.
      expect(after).toEqual(before);
      return;
    }
    const signedIn = endpoint.roles === 'anyone' ? reply.data.staff.id : member.staffId;
    expect([...new Set(entries.map(({ actor }) => actor))]).toEqual([`staff:${signedIn}`]);
    expect(new Set(entries.map(({ tx }) => tx)).size).toBe(partsOf[id] ?? 1);
    // Points that a step of an order moves, and an order that the state has, are told as well; their audit entry is that of the step.
    const isOwn = ({ type }: { type: string }) =>
      !['loyalty_event.created', 'order.reported'].includes(type) ||
      entries.some(({ action }) => action === type);
    // In any order: a step of an order takes the id of its entry first, because stock names it.
    const ownEvents = events.filter(isOwn).map(({ type, subject_id: subject }) => `${type} ${subject}`);
    expect(ownEvents.toSorted()).toEqual(
      entries
        .flatMap(({ tx, action, subject_id: subject }) =>
          tx === entries[0]!.tx ? [`${action} ${subject}`] : [],
        )
        .toSorted(),
    );
    expect(events.flatMap(({ type, payload }) => factFaults(type, payload))).toEqual([]);
  });
});

describe.each(each(alone.filter(({ kind }) => kind === 'write')))('%s', (_, endpoint) => {
  test.each(['audit_entries', 'outbox_events'])('changes nothing if %s cannot be written', async (table) => {
    const member = await memberFor(endpoint);
    const request = await staffRequest(service, endpoint, home);
    await witness.withoutRoomIn(table, async () => {
      const before = await contentsOf(organizationId);
      const reply = await sendAs(service, member, endpoint, request);
      expect(await contentsOf(organizationId)).toEqual(before);
      // A change without effect is not announced.
      if (reply.error) expect(reply.error.code).toBe('INTERNAL_ERROR');
    });
    expectedFaultCount = service.faults.length;
  });
});

describe.each(each(staffEndpoints.filter(({ kind }) => kind === 'read')))('%s', (_, endpoint) => {
  test('only reads', async () => {
    const { reply, before, after } = await executed(endpoint);
    expect(reply.status).toBe(endpoint.success.status);
    expect(after).toEqual(before);
  });
});

/** Some tests provoke faults. */
let expectedFaultCount = 0;
/** Each is told once, by the next proof. */
function unexpectedFaults(): readonly string[] {
  const told = service.faults.slice(expectedFaultCount);
  expectedFaultCount = service.faults.length;
  return told;
}

const contentsOf = (organization: typeof organizationId) => witness.contents(organization);

/** Does the work once for each operation. */
function memoized<Result>(
  work: (endpoint: StaffEndpoint) => Promise<Result>,
): (endpoint: StaffEndpoint) => Promise<Result> {
  const results = new Map<string, Promise<Result>>();
  return (endpoint) => {
    const result = results.get(endpoint.id) ?? work(endpoint);
    results.set(endpoint.id, result);
    return result;
  };
}

/** An id of the stranger for a place of a request; a cursor is the end of the stranger's own list, if it has rows. */
async function strangersId(
  endpoint: StaffEndpoint,
  place: IdPlace,
  ofStranger: ContractRequest,
): Promise<string | number | undefined> {
  // Integrators do not belong to an organization.
  if (place.name === 'integratorId') return undefined;
  if (place.part === 'params') return ofStranger.params[place.name] as string | number;
  if (place.name === 'id') return valueAt(ofStranger.body, place.path) as string | number | undefined;
  if (!place.name.startsWith('startingAfter')) return idOf(endpoint, place.name, stranger);
  const { data } = await sendAs(service, await memberOf(service, stranger), endpoint, ofStranger);
  return data.at(-1)?.id;
}

function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  let at = body;
  for (const step of path) at = (at as Record<string | number, unknown> | null | undefined)?.[step];
  return at;
}

/** A value of a type that the schema excludes. */
function noTypeOf(schema: FieldSchema): unknown {
  const types = [schema.type].flat().filter((type) => type !== 'null');
  return types.length > 1 ? {} : wrongTypeOf(schema);
}
