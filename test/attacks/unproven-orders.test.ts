import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { StatementRecorder } from '../../bench/recorded-statements.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { addCredit, addDiscount } from '../harness/test-promotions.ts';
import { startOwnTestService, type TestReply } from '../harness/test-service.ts';
import {
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestKeys,
} from '../harness/test-shop.ts';

/*
 * What an order tells a caller who has not proven who the customer is (D62a): nothing. Each refusal is compared for people with every kind of
 * record and for strangers: reply, headers, statements and time. And what such an order does to the person: nothing, until the ID is seen.
 */

// Before the first connection, to see the statements being prepared.
const recorder = new StatementRecorder();
const service = await startOwnTestService();
const { context, call } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const origin = 'https://shop.example';
const shop = await createTestShop(context, { state: 'CA' });
const owner = await service.staff(shop);
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
const secret = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders'],
  vouches: false,
});
const page = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders'],
  origins: [origin],
});
/** The callers who prove nothing: a page that any visitor opens, and a program whose key is `proven`. */
const callers: Readonly<Record<string, { keys: TestKeys; headers: Record<string, string> }>> = {
  'a visitor of a page': { keys: { clientKey: page.keys.clientKey }, headers: { origin } },
  'a key with proven customers': { keys: secret.keys, headers: {} },
};

const discounts: Record<string, number> = {};
for (const [code, terms] of Object.entries({
  ONCE: { usesPerCustomer: 1 },
  FIRST: { firstOrder: true },
  FRIENDS: {},
  GONE: { usesTotal: 1 },
  ANY: {},
})) {
  const groups =
    code === 'FRIENDS'
      ? {
          customerGroupIds: [
            (await owner.call('POST', '/staff/v1/customer-groups', { name: 'Friends', description: null }))
              .data.id as number,
          ],
        }
      : {};
  discounts[code] = await addDiscount(context, shop.organizationId, {
    ...{ name: code, kind: 'order', type: 'flat', amount: '500', codes: [code], ...terms, ...groups },
  });
}

const named = (changes: object) => ({ firstName: 'Some', lastName: 'Body', ...changes });
const vouched = async (body: object, status = 201) => {
  const reply = await call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect([reply.status, reply.error]).toEqual([status, undefined]);
  return reply.data;
};
/** 24.5 g of 28.5 a day. */
const sevenEighths = { lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 7 }] };
const oneTray = { lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 4 }] };

/** People on file, by what is on file; each gives the contact that an attacker sends. */
const people: Record<string, { email?: string; phone?: string }> = {};
async function know(what: string, contact: { email?: string; phone?: string }, cart: object = sevenEighths) {
  const placed = await vouched(pickupBody(shop, { ...cart, customer: named(contact) }));
  people[what] = contact.email === undefined ? contact : { email: contact.email };
  return placed.customer.id as number;
}
const patch = async (id: number, body: object) => {
  const reply = await owner.call('PATCH', `/staff/v1/customers/${id}`, body);
  expect(reply.error).toBeUndefined();
};
await know('bought up to the limit today', { email: 'limit@customers.example.com' });
await know(
  'used a code for once',
  { email: 'once@customers.example.com' },
  { ...oneTray, discountCodes: ['ONCE'] },
);
await know('a phone', { phone: '+14155550111' });
const credited = await know('credits', { email: 'credit@customers.example.com' });
await addCredit(context, shop.organizationId, credited, { cents: 5000 });
await patch(await know('a medical card', { email: 'card@customers.example.com' }), {
  medicalCardExpiration: '2030-01-01',
});
await patch(await know('no tax', { email: 'exempt@customers.example.com' }), {
  taxExempt: { exempt: true, reason: 'A charity' },
}).catch(() => undefined);
await sql("update customers set tax_exempt = true where email_normalized = 'exempt@customers.example.com'");
await know('a birthday of a child', { email: 'child@customers.example.com' });
await sql(
  "update customers set birthday = '2015-01-01' where email_normalized = 'child@customers.example.com'",
);
const friend = await know('a group', { email: 'friend@customers.example.com' });
await sql(
  `insert into customer_group_members (organization_id, customer_group_id, user_id, added_at)
   select organization_id, (select max(id) from customer_groups), id, now() from customers where id = $1`,
  friend,
);
const points = await know('points', { email: 'points@customers.example.com' });
await owner.call('POST', `/staff/v1/customers/${points}/loyalty-events`, {
  ...{ type: 'adjusted', pointsAmount: '250', reason: 'A welcome' },
});
const merged = await know('merged away', { email: 'merged@customers.example.com' });
const into = await know('merged into', { email: 'into@customers.example.com' });
await owner.call('POST', `/staff/v1/customers/${merged}/merge`, { intoCustomerId: into });
const erased = await know('erased', { email: 'erased@customers.example.com' }, oneTray);
await sql('update orders set status = $1, canceled_at = created_at where user_id = $2', 'canceled', erased);
await owner.call('POST', `/staff/v1/customers/${erased}/erase`, {});
// The only use of GONE.
await vouched(
  pickupBody(shop, {
    ...oneTray,
    discountCodes: ['GONE'],
    customer: named({ email: 'gone@customers.example.com' }),
  }),
);

/** What an attacker tries: each is refused, or priced. */
const tries: Readonly<Record<string, { path: string; body: (contact: object) => object }>> = {
  ...Object.fromEntries(
    Object.entries({
      'a price of one cent': { ...sevenEighths, expectedCustomerGrandTotal: 1 },
      'a price of one cent of a little': { ...oneTray, expectedCustomerGrandTotal: 1 },
      'more than the limit': { lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 9 }] },
      'what the limit leaves to a stranger, at a wrong price': {
        lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 8 }],
        expectedCustomerGrandTotal: 1,
      },
      'a code for once, at a wrong price': {
        ...oneTray,
        discountCodes: ['ONCE'],
        expectedCustomerGrandTotal: 1,
      },
      'a code for first orders, at a wrong price': {
        ...{ ...oneTray, discountCodes: ['FIRST'], expectedCustomerGrandTotal: 1 },
      },
      'a code of a group': { ...oneTray, discountCodes: ['FRIENDS'] },
      'a code that is used up': { ...oneTray, discountCodes: ['GONE'] },
      'a code that is none': { ...oneTray, discountCodes: ['NOTHING'] },
      'a sold-out option': { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] },
      'an inactive product': { lineItems: [{ productOptionId: shop.optionId('retired'), quantity: 1 }] },
      'payments that do not add up': {
        ...{ ...oneTray, payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 1 }] },
      },
    }).flatMap(([what, cart]) => [
      [
        `an order with ${what}`,
        { path: 'orders', body: (customer: object) => pickupBody(shop, { ...cart, customer }) },
      ],
      [
        `pricing with ${what}`,
        { path: 'orders/pricing', body: (customer: object) => pickupBody(shop, { ...cart, customer }) },
      ],
    ]),
  ),
  'an order below the minimum': {
    path: 'orders',
    body: (customer) =>
      deliveryBody(shop, {
        ...oneTray,
        lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }],
        customer,
      }),
  },
  'an order of a minor': {
    path: 'orders',
    body: (customer) => pickupBody(shop, { ...oneTray, customer: { ...customer, birthday: '2015-01-01' } }),
  },
  'pricing for a person in the month of the birthday': {
    path: 'orders/pricing',
    body: (customer) => pickupBody(shop, { ...oneTray, customer: { ...customer, birthday: '1980-06-01' } }),
  },
  'a guess of a code': {
    path: 'customer-sessions/verify',
    body: (customer) => ({ ...contactIn(customer), code: '000000' }),
  },
};

function contactIn(customer: object): object {
  const { email, phone } = customer as { email?: string; phone?: string };
  return email === undefined ? { phone } : { email };
}

let strangers = 0;
/** A contact of the same kind that is on no file. */
function strangerLike(contact: { email?: string }): { email: string } | { phone: string } {
  strangers += 1;
  return contact.email === undefined
    ? { phone: `+1415555${String(2000 + strangers)}` }
    : { email: `stranger${strangers}@customers.example.com` };
}

/**
 * The batch that reads stock for a preview: kept for less than a second, so only some previews have it, for known and unknown people alike.
 * On several servers it is a transaction.
 */
const ofShelves: ReadonlySet<string | undefined> = new Set([
  'begin_read',
  '',
  'commit',
  'enter_tenant',
  'select_order_type_locations',
  'select_stock_levels_of_options',
]);

/** The reply and the work up to it, without what is new in each. */
async function work(ask: () => Promise<TestReply>, contact: object) {
  let reply: TestReply | undefined;
  const batches = await recorder.record(async () => {
    reply = await ask();
  });
  const { 'x-request-id': _, date: __, 'content-length': ___, etag: ____, ...headers } = reply!.headers;
  const text = Object.values(contact).reduce<string>(
    (all, own) => all.replaceAll(own, '<contact>'),
    reply!.text,
  );
  return {
    ...{ status: reply!.status, headers },
    reply: comparable(text),
    statements: batches
      .map((batch) => batch.map(({ name }) => name))
      .filter((names) => !names.every((name) => ofShelves.has(name)))
      .flat()
      .filter((name) => name !== 'take_id_block'),
  };
}

/** Ids, keys and times differ between any two replies. */
function comparable(text: string): unknown {
  return JSON.parse(text === '' ? 'null' : text, (name, value) =>
    /^(id|.*Id|idempotencyKey|createdAt|updatedAt|orderToken)$/.test(name) && value !== null
      ? typeof value
      : value,
  );
}

describe.each(Object.entries(callers))('%s', (_, caller) => {
  test.each(Object.entries(tries))(
    'learns nothing of a person by %s: the reply, the work and the time are those for a stranger',
    async (__, { path, body }) => {
      const send = (contact: object) =>
        call('POST', `/api/v1/${path}`, { ...caller, body: body(named(contact)) });
      // Fills the caches of keys and terms.
      await send(strangerLike({ email: '' }));
      for (const [what, contact] of Object.entries(people)) {
        const stranger = strangerLike(contact);
        const ofStranger = await work(() => send(stranger), stranger);
        const ofKnown = await work(() => send(contact), contact);
        expect([what, ofKnown]).toEqual([what, ofStranger]);
        expect(ofKnown.status === 200 || ofKnown.status >= 400).toBe(true);
      }
    },
  );

  test.each(['plain', 'ONCE', 'FIRST'])(
    'places an order by the same work for a person on file and for a stranger (%s)',
    async (code) => {
      const cart = { ...oneTray, ...(code !== 'plain' && { discountCodes: [code] }) };
      const placing = async (contact: object) => {
        const body = pickupBody(shop, { ...cart, customer: named(contact) });
        const done = await work(() => call('POST', '/api/v1/orders', { ...caller, body }), contact);
        expect(done.status).toBe(201);
        // Rows that were written for their time only are taken back: as quick as keeping them.
        return done.statements.map((name) => (name === 'undo_trial' ? 'keep_trial' : name));
      };
      await placing(strangerLike({ email: '' }));
      for (const [what, contact] of Object.entries(people)) {
        expect([what, await placing(contact)]).toEqual([what, await placing(strangerLike(contact))]);
      }
      // A phone beside the email of a stranger.
      const beside = (phone: object) => placing({ ...strangerLike({ email: '' }), ...phone });
      const phones = Object.values(people).filter((contact) => 'phone' in contact);
      expect(phones.length).toBeGreaterThan(0);
      for (const { phone } of phones as { phone: string }[]) {
        expect(await beside({ phone })).toEqual(await beside(strangerLike({ phone } as object)));
      }
    },
  );

  test.each(['plain', 'ONCE', 'FIRST'])(
    'places an order for a person on file and for a stranger with the same reply, then and later (%s)',
    async (code) => {
      const cart = { ...oneTray, ...(code !== 'plain' && { discountCodes: [code] }) };
      for (const [what, contact] of Object.entries(people)) {
        const replies = [];
        for (const who of [contact, strangerLike(contact)]) {
          const body = pickupBody(shop, { ...cart, customer: named(who) });
          const placed = await call('POST', '/api/v1/orders', { ...caller, body });
          const again = await call('POST', '/api/v1/orders', { ...caller, body });
          expect([what, placed.status, again.status]).toEqual([what, 201, 201]);
          const shown = [placed, again];
          if (caller.keys.consumerKey !== undefined) {
            for (const [method, read] of [
              ['GET', `orders/${placed.data.id}/detail`],
              ['GET', `orders?idempotencyKey=${body.idempotencyKey}`],
              ['GET', `own-orders/${placed.data.id}`],
              ['POST', `orders/${placed.data.id}/cancel`],
              ['POST', `orders/${placed.data.id}/cancel`],
            ] as const) {
              const options = method === 'POST' ? { body: {} } : {};
              shown.push(await call(method, `/api/v1/${read}`, { ...caller, ...options }));
            }
          }
          for (const { text } of shown) expect(text).not.toContain('"userId"');
          const hidden = (text: string) =>
            Object.values(who).reduce<string>((all, own) => all.replaceAll(own, '<contact>'), text);
          replies.push(shown.map(({ status, text }) => ({ status, reply: withoutTimes(hidden(text)) })));
        }
        expect([what, replies[0]]).toEqual([what, replies[1]]);
      }
    },
  );
});

function withoutTimes(text: string): unknown {
  return JSON.parse(text, (name, value) =>
    /^(id|.*Id|.*Ids|idempotencyKey|.*At|orderToken)$/.test(name) && value !== null ? typeof value : value,
  );
}

test('the time of a refusal tells nothing: the medians for a person and a stranger are alike', async () => {
  const caller = callers['a key with proven customers']!;
  const body = (contact: object) =>
    pickupBody(shop, { ...sevenEighths, expectedCustomerGrandTotal: 1, customer: named(contact) });
  const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let at = 0; at < 25; at += 1) {
    for (const [whose, contact] of [
      ['known', people['bought up to the limit today']!],
      ['unknown', strangerLike({ email: '' })],
    ] as const) {
      const from = performance.now();
      await call('POST', '/api/v1/orders', { ...caller, body: body(contact) });
      took[whose].push(performance.now() - from);
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  expect(Math.abs(median(took.known) - median(took.unknown))).toBeLessThan(
    10 + Math.max(median(took.known), median(took.unknown)) / 2,
  );
});

describe('an order of an unproven customer', () => {
  const { keys, headers } = callers['a visitor of a page']!;
  const claim = async (email: string, cart: object) => {
    const body = pickupBody(shop, { ...cart, customer: named({ email }) });
    const placed = await call('POST', '/api/v1/orders', { keys, headers, body });
    expect(placed.error).toBeUndefined();
    return placed.data.id as string;
  };
  const pay = { payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 0 }] };
  const step = async (id: string, action: string, body: object = {}) =>
    owner.call('POST', `/staff/v1/orders/${id}/${action}`, body);
  /** Fulfills it, paid in cash. */
  const handOver = async (id: string) => {
    const { netPrice } = (await owner.call('GET', `/staff/v1/orders/${id}`)).data;
    return step(id, 'fulfill', { payments: [{ ...pay.payments[0], amount: netPrice }] });
  };
  const flagOf = async (id: string) =>
    (await owner.call('GET', `/staff/v1/orders/${id}`)).data.needsHistoryCheck;
  let at = 0;
  const newContact = () => {
    at += 1;
    return `person${at}@customers.example.com`;
  };

  test("takes nothing of the person's limit, is flagged, and meets it when the goods are handed over", async () => {
    const email = newContact();
    const [first, second] = [await claim(email, sevenEighths), await claim(email, sevenEighths)];
    // The person buys what the law allows for the day.
    const own = await vouched(pickupBody(shop, { ...sevenEighths, customer: named({ email }) }));
    expect([await flagOf(first), await flagOf(second), await flagOf(own.id)]).toEqual([true, true, false]);
    const refused = await handOver(first);
    expect([refused.status, refused.error?.code]).toEqual([422, 'PURCHASE_LIMIT_EXCEEDED']);
    expect(await flagOf(first)).toBe(true);
    expect((await step(own.id, 'cancel', { reason: 'Changed their mind' })).error).toBeUndefined();
    expect((await handOver(first)).error).toBeUndefined();
    expect(await flagOf(first)).toBe(false);
    // From now on it counts: for the other order, and for the person.
    expect((await handOver(second)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
    const more = await call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { ...sevenEighths, customer: named({ email }) }),
    });
    expect(more.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
    expect((await step(second, 'cancel', { reason: 'Over the limit' })).error).toBeUndefined();
    expect(await flagOf(second)).toBe(false);
  });

  test.each(['ONCE', 'FIRST'])('uses up no discount of the person, and gets it once (%s)', async (code) => {
    const email = newContact();
    const cart = { ...oneTray, discountCodes: [code] };
    const [first, second] = [await claim(email, cart), await claim(email, cart)];
    const own = await vouched(pickupBody(shop, { ...cart, customer: named({ email }) }));
    expect((await step(own.id, 'cancel', { reason: 'Changed their mind' })).error).toBeUndefined();
    expect((await handOver(first)).error).toBeUndefined();
    const refused = await handOver(second);
    expect([refused.status, refused.error?.code]).toEqual([422, 'INVALID_ORDER']);
    expect(refused.error?.message).toContain(`The discount “${code}”`);
    const edited = await owner.call('PATCH', `/staff/v1/orders/${second}`, { discountCodes: [] });
    expect(edited.error).toBeUndefined();
    expect(await flagOf(second)).toBe(false);
    expect((await handOver(second)).error).toBeUndefined();
    const uses = await sql(
      `select sum(used)::int as used from discount_customer_uses u join customers c on c.id = u.user_id
        where c.email_normalized = $1 and u.discount_id = $2`,
      email,
      discounts[code]!,
    );
    expect(uses).toEqual([{ used: code === 'ONCE' ? 1 : null }]);
  });

  test('is refused at the hand-over to a person who is too young on file', async () => {
    const email = newContact();
    const id = await claim(email, oneTray);
    await sql("update customers set birthday = '2015-01-01' where email_normalized = $1", email);
    expect((await handOver(id)).error?.code).toBe('CUSTOMER_UNDERAGE');
  });

  test('is checked with the history by an edit of staff, and keeps its flag when only a note changes', async () => {
    const email = newContact();
    const id = await claim(email, sevenEighths);
    await vouched(pickupBody(shop, { ...sevenEighths, customer: named({ email }) }));
    const edit = (body: object) => owner.call('PATCH', `/staff/v1/orders/${id}`, body);
    expect((await edit({ internalNotes: 'Calls before the visit' })).data.needsHistoryCheck).toBe(true);
    const two = [{ productOptionId: shop.optionId('eighth'), quantity: 2 }];
    expect((await edit({ lineItems: two })).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
    const one = [{ productOptionId: shop.optionId('eighth'), quantity: 1 }];
    expect((await edit({ lineItems: one })).data.needsHistoryCheck).toBe(false);
  });

  test('canceling it gives back no use of a discount that it did not take', async () => {
    const email = newContact();
    const cart = { ...oneTray, discountCodes: ['ONCE'] };
    const id = await claim(email, cart);
    await vouched(pickupBody(shop, { ...cart, customer: named({ email }) }));
    expect((await step(id, 'cancel', { reason: 'Not picked up' })).error).toBeUndefined();
    const again = await call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { ...cart, customer: named({ email }) }),
    });
    expect(again.error?.code).toBe('DISCOUNT_CODE_INVALID');
  });

  test('does not open the documents of a person whose id is guessed', async () => {
    const [person] = await sql(
      "select id from customers where email_normalized = 'limit@customers.example.com'",
    );
    const placed = await call('POST', '/api/v1/orders', {
      keys: secret.keys,
      body: pickupBody(shop, { ...oneTray, customer: named({ email: 'limit@customers.example.com' }) }),
    });
    const upload = () =>
      call('POST', `/api/v1/documents/${person!.id}/license`, {
        keys: secret.keys,
        body: { documentBase64: 'bm8gcGljdHVyZQ==', documentMime: 'image/png' },
      });
    await sql(
      `update orders set integrator_id = null where user_id = $1 and id <> $2`,
      person!.id,
      placed.data.id,
    );
    expect((await upload()).error?.code).toBe('USER_NOT_FOUND');
  });
});
