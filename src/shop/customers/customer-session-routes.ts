import Type from 'typebox';
import { readEmail, readPhone } from '../../kernel/contacts.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type AbsentField,
  type Endpoint,
  endpoint,
  reply,
  replyEmpty,
} from '../../platform/http/endpoint.ts';
import { Nullable, Text, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { guessedCodes, sentCodes } from './code-limits.ts';
import { codeLifeMinutes, redeemCustomerCode, sendCustomerCode } from './customer-codes.ts';
import { selectSignedInCustomer } from './customer-session-queries.ts';
import { endCustomerSession } from './customer-sessions.ts';

const tokenExample = 'dcu_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef';
/** One of the two. */
const contactFields = {
  email: Type.Optional(
    Text({ min: 3, max: 254, description: "The customer's email address; or send `phone` in its place" }),
  ),
  phone: Type.Optional(
    Text({
      min: 3,
      max: 40,
      description: "The customer's phone number; a number without country code is of the US",
    }),
  ),
};
const CustomerToken = Text({ min: 1, max: 100, description: 'The token of a customer session' });

const shared = {
  address: 'base',
  permission: 'create-orders',
  publishableKey: 'allowed',
  kind: 'write',
  tag: 'Customer sessions',
} as const;

/** How a customer of a web shop signs in: a code by mail or to a phone, then a token. */
export function customerSessionRoutes(context: Context, masterKeys: MasterKeys): Endpoint[] {
  return [
    requestCodeEndpoint(context, masterKeys),
    startSessionEndpoint(context, masterKeys),
    endSessionEndpoint(context),
  ];
}

function requestCodeEndpoint(context: Context, masterKeys: MasterKeys): Endpoint {
  return endpoint({
    ...shared,
    id: 'requestCustomerCode',
    method: 'POST',
    path: '/api/v1/customer-sessions',
    summary: 'Send a customer a code',
    description:
      `Sends a code of six digits to the email address or the phone, valid for ${codeLifeMinutes} minutes; a former code ends. ` +
      'The reply is the same whether the organization knows the contact or not. At most five within an hour for a contact. The ' +
      "code of a phone goes to the organization's webhook endpoint for `customer.code_requested`, which sends it on as a " +
      'message; without such an endpoint the reply is the same, and nothing is sent.',
    body: Type.Object(contactFields),
    alsoMissing: missingContact,
    requestExample: { email: 'ada@customers.example.com' },
    success: {
      status: 202,
      data: Type.Object({
        expiresInSeconds: WholeNumber({ min: 1, max: 3_600, description: 'How long the code is valid' }),
      }),
      description: 'A code is on its way',
      example: { expiresInSeconds: codeLifeMinutes * 60 },
    },
    failures: [],
    handle: async (request) => {
      const { caller, requestId } = request;
      const contact = readContact(request.body);
      await request.countUnproven(sentCodes);
      const origin = { actor: `key:${caller.clientKeyId}`, requestId } as const;
      await sendCustomerCode(context, masterKeys, origin, { ...whose(caller), contact });
      return reply({ expiresInSeconds: codeLifeMinutes * 60 });
    },
  });
}

function startSessionEndpoint(context: Context, masterKeys: MasterKeys): Endpoint {
  return endpoint({
    ...shared,
    id: 'startCustomerSession',
    method: 'POST',
    path: '/api/v1/customer-sessions/verify',
    answersSecret: true,
    ignoresIdempotencyKey: true,
    summary: 'Start a customer session',
    description:
      'Takes the code that was sent last, once, and answers a token: it proves for 30 days, to this integrator, that the ' +
      'customer owns the email address or the phone. Send it as `customer.token` with carts. `customer` is the profile with ' +
      'this contact, null if there is none yet. Ten tries within an hour for a contact. The header `Idempotency-Key` has no ' +
      'effect here: each try counts.',
    alsoMissing: missingContact,
    body: Type.Object({
      ...contactFields,
      code: Text({ min: 1, max: 20, description: 'Six digits' }),
    }),
    requestExample: { email: 'ada@customers.example.com', code: '402913' },
    success: {
      status: 201,
      data: Type.Object({
        token: Text({ max: 100, description: 'Shown once' }),
        expiresAt: Timestamp({ description: 'The end of the session' }),
        customer: Nullable(
          Type.Object(
            {
              firstName: Text({ max: 100, description: 'First name' }),
              lastName: Text({ max: 100, description: 'Last name' }),
              phone: Nullable(Text({ max: 40, description: 'E.164' })),
              birthday: Nullable(Text({ max: 10, description: 'YYYY-MM-DD' })),
            },
            { description: 'Who buys' },
          ),
        ),
      }),
      description: 'The session',
      example: {
        token: tokenExample,
        expiresAt: '2026-03-31T17:05:09.123Z',
        customer: { firstName: 'Ada', lastName: 'Moreno', phone: '+14155550123', birthday: '1990-05-17' },
      },
    },
    failures: ['CUSTOMER_CODE_INVALID'],
    handle: async (request) => {
      const { caller, body, requestId } = request;
      const contact = readContact(body);
      const attempt = await request.countUnproven(guessedCodes);
      const claim = { ...whose(caller), contact };
      const origin = { actor: `key:${caller.clientKeyId}`, requestId } as const;
      const code = body.code.replace(/\s/g, '');
      const started = await redeemCustomerCode(context, masterKeys, origin, claim, code);
      if (started === null) {
        throw failure(
          'CUSTOMER_CODE_INVALID',
          'code must be the last one that was sent, unused and in time.',
        );
      }
      attempt.giveBack();
      const { token, expiresAtMs } = started;
      const find = selectSignedInCustomer({ contact });
      const [[known]] = await context.database.read(caller.organizationId, find);
      return reply({
        token,
        expiresAt: isoTimestamp(expiresAtMs),
        customer:
          known === undefined
            ? null
            : {
                firstName: known.first_name,
                lastName: known.last_name,
                phone: known.phone,
                birthday: known.birthday,
              },
      });
    },
  });
}

function endSessionEndpoint(context: Context): Endpoint {
  return endpoint({
    ...shared,
    id: 'endCustomerSession',
    method: 'POST',
    path: '/api/v1/customer-sessions/end',
    summary: 'End a customer session',
    description: 'Signs the customer out: the token proves nothing any more, at once.',
    body: Type.Object({ token: CustomerToken }),
    requestExample: { token: tokenExample },
    success: { status: 204, description: 'The session is over' },
    failures: ['CUSTOMER_SESSION_ENDED'],
    handle: async ({ caller, body, requestId }) => {
      const origin = { actor: `key:${caller.clientKeyId}`, requestId } as const;
      await endCustomerSession(context, origin, whose(caller), body.token);
      return replyEmpty();
    },
  });
}

const whose = ({ organizationId, integratorId }: Endpointed) => ({ organizationId, integratorId });
type Endpointed = Parameters<Endpoint['handle']>[0]['caller'];

function missingContact(body: unknown): AbsentField[] {
  if (Array.isArray(body)) return [];
  const { email, phone } = (body ?? {}) as Record<string, unknown>;
  return (email ?? phone ?? null) === null ? [['email', 'phone']] : [];
}

/** The normalized email or phone of a body that has one. Fails with INVALID_PARAMS. */
function readContact({ email, phone }: { email?: string | undefined; phone?: string | undefined }): string {
  if (email !== undefined && phone !== undefined) {
    throw failure('INVALID_PARAMS', 'Send either email or phone.');
  }
  const contact = email === undefined ? readPhone(phone ?? '') : readEmail(email);
  if (contact !== null) {
    if (contact.normalized !== null) return contact.normalized;
    throw failure(
      'INVALID_PARAMS',
      `${email === undefined ? 'phone' : 'email'} is a placeholder, and no contact of a person.`,
    );
  }
  throw email === undefined
    ? failure('INVALID_PARAMS', 'phone must be a phone number, e.g. (415) 555-0123 or +14155550123')
    : failure('INVALID_PARAMS', 'email must be an email address');
}
