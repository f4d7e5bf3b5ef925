import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { organizationId as toOrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, signInEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import type { DeclaredHeader } from '../../platform/http/endpoint-requests.ts';
import {
  CentsTotal,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { closeBatch } from './close-batch.ts';
import { lookSoon } from './intent-queries.ts';
import { selectConnection, selectConnections } from './payment-connection-queries.ts';
import { paymentDeskOf } from './payment-desk.ts';
import {
  connectionExample,
  connectionFields,
  eventsPath,
  PaymentConnection,
  ProviderAccount,
  ProviderSecrets,
  shownConnection,
} from './payment-schemas.ts';
import { providerIds, providerKindOf } from './provider-kinds.ts';
import { changeConnection, createConnection } from './set-connection.ts';
import { settleDay } from './settle-day.ts';

const path = '/staff/v1/payment-connections';
const connectionsMax = 1_000;
const eventBytesMax = 65_536;
const signatureHeader: DeclaredHeader = {
  name: 'ap-signature',
  description: 'The signature of the provider over the body and this address.',
};

/** Accounts at providers of payments, and where their webhooks arrive. `pageUrl`: the address of a path of this service. */
export function paymentConnectionStaffRoutes(
  context: Context,
  pageUrl: (path: string) => string,
): StaffEndpoint[] {
  const shown = async (organization: Parameters<typeof context.database.read>[0], id: number) => {
    const [[row]] = await context.database.read(organization, selectConnection({ id }));
    if (row === undefined) throw failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
    return shownConnection(row, (it) => pageUrl(eventsPath(organization, it)));
  };
  const success = {
    data: PaymentConnection,
    description: 'The connection, without its keys',
    example: connectionExample,
  } as const;
  return [
    staffEndpoint({
      id: 'listPaymentConnections',
      method: 'GET',
      path,
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: { primary: 'a payment is taken by what has just changed' },
      list: { staysSmall: 'terminals and accounts of the shop' },
      sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending' },
      emptyInDemo: 'a demo is connected when its service starts',
      exported: { not: 'accounts at providers; their keys cannot be exported' },
      summary: 'List payment connections',
      description: 'The accounts at providers, archived ones included. Keys are never shown.',
      tag: 'Settings',
      success: {
        status: 200,
        data: List(PaymentConnection, { max: connectionsMax }),
        description: 'The connections',
        example: [connectionExample],
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const [rows] = await context.database.read(organizationId, selectConnections({}));
        return reply(
          rows.map((row) => shownConnection(row, (id) => pageUrl(eventsPath(organizationId, id)))),
        );
      },
    }),

    staffEndpoint({
      id: 'createPaymentConnection',
      method: 'POST',
      path,
      roles: ['owner'],
      kind: 'write',
      recentProof: 'always',
      summary: 'Connect a payment type to a provider',
      description:
        'From now on payments by the type go through this account. `account` and `secrets` have the fields of the provider: a ' +
        'terminal has `tpn`, `paymentType` and `authkey`; a bank `merchant` and `apiKey`, `apiSecret`, `signingKey`. Secrets are ' +
        'stored sealed and never shown. Inside the own network a provider works at hosts that the operator allows only ' +
        '(`PAYMENT_HOSTS_ALLOWED`).',
      tag: 'Settings',
      body: Type.Object({
        ...connectionFields,
        payWithinMinutes: Type.Optional(connectionFields.payWithinMinutes),
        provider: OneOf(providerIds),
        paymentTypeId: Id(),
        registerId: Type.Optional(Id({ description: 'Of a terminal: where it stands' })),
        account: ProviderAccount,
        secrets: ProviderSecrets,
      }),
      requestExample: {
        name: 'Counter 1',
        baseUrl: 'https://spinpos.net',
        provider: 'terminal',
        paymentTypeId: 2301,
        registerId: 5201,
        account: { tpn: '224900017731', paymentType: 'Debit' },
        secrets: { authkey: 'q8Zr4TnWb2' },
      },
      success: { status: 201, ...success },
      failures: ['PAYMENT_TYPE_NOT_FOUND', 'REGISTER_NOT_FOUND', 'PAYMENT_CONNECTION_EXISTS'],
      handle: async ({ staff, requestId, body }) => {
        const { registerId = null, payWithinMinutes = null, ...given } = body;
        const id = await createConnection(
          paymentDeskOf(context),
          staffOrigin(staff, requestId),
          staff.organizationId,
          { ...given, registerId, payWithinMinutes },
        );
        return reply(await shown(staff.organizationId, id));
      },
    }),

    staffEndpoint({
      id: 'updatePaymentConnection',
      method: 'PATCH',
      path: `${path}/{paymentConnectionId}`,
      params: Type.Object({ paymentConnectionId: Id() }),
      resourceParams: { paymentConnectionId: 'PAYMENT_CONNECTION_NOT_FOUND' },
      roles: ['owner'],
      kind: 'write',
      recentProof: 'always',
      takesIfMatch: true,
      summary: 'Change a payment connection',
      description:
        'Changes the given fields. Another `baseUrl` needs the `secrets` again. `archived`: it takes no new payments; those under way are still asked after.',
      tag: 'Settings',
      body: Type.Partial(
        Type.Object({
          ...connectionFields,
          account: ProviderAccount,
          secrets: ProviderSecrets,
          archived: Flag(),
        }),
      ),
      requestExample: { name: 'Counter 2' },
      success: { status: 200, ...success },
      failures: ['PAYMENT_CONNECTION_NOT_FOUND', 'PAYMENT_CONNECTION_EXISTS'],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const id = params.paymentConnectionId;
        await changeConnection(paymentDeskOf(context), origin, organizationId, id, body);
        return reply(await shown(organizationId, id));
      },
    }),

    checkEndpoint(context),
    settlementEndpoint(context),
    eventsEndpoint(context, pageUrl),
  ];
}

function settlementEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'settlePaymentDay',
    method: 'POST',
    path: `${path}/{paymentConnectionId}/settlements`,
    params: Type.Object({ paymentConnectionId: Id() }),
    resourceParams: { paymentConnectionId: 'PAYMENT_CONNECTION_NOT_FOUND' },
    roles: ['owner', 'manager'],
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Compare with a provider',
    description:
      'Asks a bank what it paid out for a day of its own (UTC), and holds that against what was captured, fee by fee. Closes the open batch of ' +
      'a terminal, and holds its totals and payments against the books. Each difference is a task, once, however often this is done; so an ' +
      'Idempotency-Key is ignored. Banks are read the day after, and terminals are closed when the business day is over, without being asked.',
    tag: 'Settings',
    body: Type.Object({
      day: Type.Optional(
        LocalDate({ description: 'Of a bank, required; of a terminal, left out: it is closed now' }),
      ),
    }),
    requestExample: { day: '2026-03-01' },
    success: {
      status: 200,
      data: Named(
        'PaymentSettlement',
        Type.Object({
          day: LocalDate({ description: 'Of a terminal: the business day on which its batch closed' }),
          payments: CentsTotal(),
          refunds: CentsTotal({ description: 'Negative' }),
          returned: CentsTotal({
            description: 'Negative: banks took it back; what was collected after all counts against it',
          }),
          fees: CentsTotal({ description: 'What the provider keeps' }),
          agreedFees: Nullable(
            CentsTotal({
              description: 'What it may keep of these payments by the payment type; null: nothing was agreed',
            }),
          ),
          net: CentsTotal({ description: 'What it paid out; of a terminal, the total of its batch' }),
          differences: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        }),
      ),
      description: 'The settlement',
      example: {
        ...{ day: '2026-03-01', payments: 61_400, refunds: -3_500, returned: 0, fees: 921, net: 56_979 },
        ...{ agreedFees: 921, differences: 0 },
      },
    },
    failures: ['PAYMENT_CONNECTION_NOT_FOUND', 'PAYMENT_NOT_REPORTED'],
    handle: async ({ staff, requestId, params: { paymentConnectionId: id }, body: { day } }) => {
      const { organizationId } = staff;
      const [[row]] = await context.database.read(organizationId, selectConnection({ id }));
      if (row === undefined) throw failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
      const origin = staffOrigin(staff, requestId);
      const isTerminal = providerKindOf(row.provider)?.inPerson === true;
      if (isTerminal !== (day === undefined)) {
        throw failure(
          'INVALID_PARAMS',
          isTerminal ? 'day must be left out: a terminal closes its batch now' : 'day must be given',
        );
      }
      const desk = paymentDeskOf(context);
      const it =
        day === undefined
          ? await closeBatch(desk, origin, organizationId, id)
          : await settleDay(desk, origin, organizationId, id, day);
      return reply({
        ...{ day: it.day, payments: it.paymentsCents, refunds: it.refundsCents, returned: it.returnedCents },
        ...{
          fees: it.feesCents,
          agreedFees: it.agreedFeesCents,
          net: it.netCents,
          differences: it.differences,
        },
      });
    },
  });
}

function checkEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'testPaymentConnection',
    method: 'POST',
    path: `${path}/{paymentConnectionId}/test`,
    params: Type.Object({ paymentConnectionId: Id() }),
    resourceParams: { paymentConnectionId: 'PAYMENT_CONNECTION_NOT_FOUND' },
    roles: ['owner', 'manager'],
    kind: 'read',
    readsFrom: { primary: 'asked right after a connection was made' },
    summary: 'Test a payment connection',
    description: 'Asks the provider whether the account works now. No money moves, and nothing is stored.',
    tag: 'Settings',
    success: {
      status: 200,
      data: Type.Object({
        state: OneOf(['ready', 'offline', 'refused', 'silent'], {
          description:
            '`offline`: the provider answers, the terminal does not. `refused`: the account or its keys are not known there. `silent`: no answer',
        }),
        code: Nullable(Text({ max: 100, description: "The provider's word for it" })),
      }),
      description: 'What the provider says',
      example: { state: 'ready', code: null },
    },
    failures: ['PAYMENT_CONNECTION_NOT_FOUND'],
    handle: async ({ staff: { organizationId }, params: { paymentConnectionId: id } }) => {
      const [[row]] = await context.database.read(organizationId, selectConnection({ id }));
      if (row === undefined) throw failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
      const provider = await paymentDeskOf(context).open(organizationId, id);
      return reply(await provider.check());
    },
  });
}

/** Webhooks of providers. What they say is never believed: a signed one makes a worker read what the provider knows. */
function eventsEndpoint(context: Context, pageUrl: (path: string) => string): StaffEndpoint {
  return signInEndpoint({
    id: 'receivePaymentEvent',
    method: 'POST',
    path: '/staff/v1/payment-events/{organizationId}/{paymentConnectionId}',
    kind: 'write',
    ignoresIdempotencyKey: true,
    summary: 'Receive a webhook of a provider',
    description:
      'For providers only. A body with the signature of the account makes the service ask the provider; any other changes nothing. ' +
      'Both get the same answer. Asking twice is harmless, so an Idempotency-Key is ignored.',
    tag: 'Settings',
    params: Type.Object({ organizationId: Id(), paymentConnectionId: Id() }),
    resourceParams: {
      organizationId: 'PAYMENT_CONNECTION_NOT_FOUND',
      paymentConnectionId: 'PAYMENT_CONNECTION_NOT_FOUND',
    },
    headers: [signatureHeader],
    bodyFile: ['application/json'],
    bodyBytesMax: eventBytesMax,
    // Not 204: some providers take nothing but 200 for received.
    success: {
      status: 200,
      data: Type.Object({ isReceived: Flag() }),
      description: 'Received',
      example: { isReceived: true },
    },
    failures: ['PAYMENT_CONNECTION_NOT_FOUND'],
    handle: async (request) => {
      const { params, file } = request;
      const organization = toOrganizationId(params.organizationId);
      const id = params.paymentConnectionId;
      const [[row]] = await context.database.read(organization, selectConnection({ id }));
      const kind = row === undefined ? undefined : providerKindOf(row.provider);
      if (row === undefined || kind === undefined) {
        throw failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
      }
      const provider = await paymentDeskOf(context).open(organization, id);
      const headers = { [signatureHeader.name]: request.header(signatureHeader) };
      const references =
        provider.events(file.toString(), headers, pageUrl(eventsPath(organization, id))) ?? [];
      const at = isoTimestamp(context.wallClock.now());
      await context.database.write(
        organization,
        async (tx) => tx.queue(...references.map((reference) => lookSoon({ reference, at }))),
        { countsAsChange: false },
      );
      return reply({ isReceived: true });
    },
  });
}
