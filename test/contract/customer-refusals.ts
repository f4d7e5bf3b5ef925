import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import { collision } from './collision-refusals.ts';
import { nowhereId, validRequest } from './contract-world.ts';
import type { Refusal, Stage } from './refusal.ts';

/** Refusals of requests about customers (D14, D32, D37, D38). */
export function customerRefusals(endpointId: string): Refusal[] {
  switch (endpointId) {
    case 'listCustomers':
      return listRefusals(endpointId);
    case 'getCustomer':
      return [mergedCustomer(endpointId)];
    case 'addCustomerToGroup':
    case 'removeCustomerFromGroup':
      return [...contactRefusals(endpointId), collision(endpointId, 'customer_group_members')];
    case 'addLoyaltyEvent':
      return [...loyaltyRefusals(endpointId), collision(endpointId, 'loyalty_events')];
    case 'getPageOrder':
    case 'listPageOrders':
    case 'cancelPageOrder':
      return [endedSession(endpointId)];
    case 'requestCustomerCode':
      return contactsRefusals(endpointId);
    case 'startCustomerSession':
      return [signInRefusal(endpointId), ...contactsRefusals(endpointId)];
    case 'endCustomerSession':
      return [signInRefusal(endpointId)];
    default:
      return [];
  }
}

function endedSession(endpointId: string): Refusal {
  return {
    ...{ endpointId, code: 'CUSTOMER_SESSION_ENDED', when: 'the token of the customer is unknown' },
    arrange: ({ home }, endpoint) => ({
      request: validRequest(endpoint, home),
      options: { headers: { 'x-customer-token': 'dcu_live_unknown' } },
    }),
    message: /^The customer session is over/,
  };
}

/** One of email and phone is sent, and not both (D62). */
function contactsRefusals(endpointId: string): Refusal[] {
  const refusal = (code: ErrorCode, when: string, contacts: object, message: RegExp): Refusal => ({
    ...{ endpointId, code, when, message },
    arrange: () => ({ request: { params: {}, query: {}, body: { ...contacts, code: '000000' } } }),
  });
  const [email, phone] = ['ada@customers.example.com', '+14155550123'];
  return [
    {
      ...refusal('MISSING_PARAMS', 'neither email nor phone is sent', {}, /^Required but absent: email/),
      meta: { missing: ['email', 'phone'] },
    },
    refusal('INVALID_PARAMS', 'email and phone are sent', { email, phone }, /^Send either email or phone/),
    refusal('INVALID_PARAMS', 'the phone is none', { phone: 'five' }, /^phone must be a phone number/),
  ];
}

function signInRefusal(endpointId: 'startCustomerSession' | 'endCustomerSession'): Refusal {
  const body = { email: 'ada@customers.example.com', code: '000000', token: 'dcu_live_unknown' };
  const request = { params: {}, query: {}, body };
  return endpointId === 'startCustomerSession'
    ? {
        ...{ endpointId, code: 'CUSTOMER_CODE_INVALID', when: 'no such code was sent' },
        arrange: () => ({ request }),
        message: /^code must be the last one that was sent/,
        isCounted: true,
      }
    : {
        ...{ endpointId, code: 'CUSTOMER_SESSION_ENDED', when: 'the token is unknown' },
        arrange: () => ({ request }),
        message: /^The customer session is over/,
      };
}

function mergedCustomer(endpointId: string): Refusal {
  let intoCustomerId = 0;
  return {
    endpointId,
    code: 'CUSTOMER_MERGED',
    when: 'the customer was merged into another one',
    arrange: async ({ service, home: { shop } }) => {
      const manager = await service.staff(shop, 'manager');
      const create = async (email: string): Promise<number> =>
        (
          await manager.call('POST', '/staff/v1/customers', {
            firstName: 'Marisol',
            lastName: 'Okafor',
            email: `${email}-${endpointId}@customers.example.com`,
          })
        ).data.id;
      const customerId = await create('twin');
      intoCustomerId = await create('target');
      await manager.call('POST', `/staff/v1/customers/${customerId}/merge`, { intoCustomerId });
      return { request: { params: { customerId }, query: {}, body: undefined } };
    },
    message: /^This customer was merged into customer \d+\.$/,
    meta: () => ({ intoCustomerId }),
  };
}

function listRefusals(endpointId: string): Refusal[] {
  const query = (
    values: Readonly<Record<string, string | number>>,
    code: ErrorCode,
    message: RegExp,
  ): Refusal => ({
    endpointId,
    code,
    when: Object.entries(values)
      .map(([name, value]) => `${name} is ${value === '' ? 'empty' : value}`)
      .join(),
    arrange: () => ({ request: { params: {}, query: values, body: undefined } }),
    message,
  });
  const cursor = /^startingAfter must be /;
  return [
    query({ startingAfter: nowhereId(1) }, 'INVALID_CURSOR', cursor),
    query({ startingAfter: nowhereId(1), sortBy: 'updatedAt' }, 'INVALID_CURSOR', cursor),
    ...['first', '0', '1.5', ''].map((startingAfter) => query({ startingAfter }, 'INVALID_CURSOR', cursor)),
    ...['2026-02-30', 'today', ''].map((startingOn) =>
      query({ startingOn }, 'INVALID_PARAMS', /^startingOn must be a date YYYY-MM-DD/),
    ),
    ...['joinedAt', 'UPDATEDAT', ''].map((sortBy) =>
      query({ sortBy }, 'INVALID_PARAMS', /^sortBy must be one of updatedAt/),
    ),
  ];
}

type Changes = Readonly<Record<string, unknown>>;

/** A valid request with another body. */
function withBody(
  endpointId: string,
  refusal: Omit<Refusal, 'endpointId' | 'arrange'>,
  change: (body: Changes, stage: Stage) => Changes,
): Refusal {
  return {
    endpointId,
    ...refusal,
    arrange: (stage, endpoint) => {
      const request = validRequest(endpoint, stage.home);
      return { request: { ...request, body: change(request.body as Changes, stage) } };
    },
  };
}

function contactRefusals(endpointId: string): Refusal[] {
  return [
    ...['unknown@customers.example.com', '(510) 555-0199'].map((emailOrPhone) =>
      withBody(
        endpointId,
        {
          code: 'USER_NOT_FOUND',
          when: `${emailOrPhone} is unknown`,
          message: /^There is no such customer \(id, email or phone\)\.$/,
        },
        () => ({ emailOrPhone }),
      ),
    ),
    ...['Marisol Okafor', 'marisol@', '12', ' '].map((emailOrPhone) =>
      withBody(
        endpointId,
        {
          code: 'INVALID_PARAMS',
          when: `"${emailOrPhone}" is neither an email nor a phone number`,
          message: /^emailOrPhone must be an email address or a phone number/,
        },
        () => ({ emailOrPhone }),
      ),
    ),
  ];
}

function loyaltyRefusals(endpointId: string): Refusal[] {
  const changed = (
    changes: Changes,
    when: string,
    code: ErrorCode,
    message: RegExp,
    meta?: Refusal['meta'],
  ): Refusal =>
    withBody(endpointId, { code, when, message, ...(meta && { meta }) }, (body) => ({ ...body, ...changes }));
  const noSuchCustomer = /^There is no such customer \(id, email or phone\)\.$/;
  return [
    changed({ customerId: nowhereId(1) }, 'the id is unknown', 'USER_NOT_FOUND', noSuchCustomer),
    changed(
      { customerEmail: 'unknown@customers.example.com' },
      "the email is not that of the id's owner",
      'USER_NOT_FOUND',
      noSuchCustomer,
    ),
    changed(
      { customerPhone: '(510) 555-0199' },
      'the phone number is unknown',
      'USER_NOT_FOUND',
      noSuchCustomer,
    ),
    changed(
      { customerEmail: 'no email' },
      'the email is malformed',
      'INVALID_PARAMS',
      /^customerEmail must be an/,
    ),
    changed(
      { customerPhone: '12' },
      'the phone number is none',
      'INVALID_PARAMS',
      /^customerPhone must be a/,
    ),
    changed(
      { customerId: undefined, customerEmail: ' ' },
      'no customer is named',
      'MISSING_PARAMS',
      /^Required but absent: customerId, customerEmail or customerPhone\.$/,
      { missing: ['customerId', 'customerEmail', 'customerPhone'] },
    ),
    ...[0, 0.001, 1e-9, 1_000_000_001].map((pointsAmount) =>
      changed({ pointsAmount }, `the points are ${pointsAmount}`, 'INVALID_PARAMS', /^pointsAmount must be/),
    ),
    changed(
      { pointsAmount: -1_000_000 },
      'more points are taken than there are',
      'INVALID_PARAMS',
      /^pointsAmount must not take more points than/,
    ),
    ...['', 'abc', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 7].map((idempotencyKey) =>
      changed(
        { idempotencyKey },
        `the idempotency key is ${idempotencyKey === '' ? 'empty' : idempotencyKey}`,
        'INVALID_IDEMPOTENCY_KEY',
        /^idempotencyKey must be a UUID v4/,
      ),
    ),
  ];
}
