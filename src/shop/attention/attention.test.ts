import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestIntegrator, createTestKeys, createTestShop } from '../../../test/harness/test-shop.ts';
import { behindMsMax, newStatus, raiseConcerns } from '../../hosting/wal-archive/archive-status.ts';
import { addDays, isoTimestamp, localDateAt, localInstantMs } from '../../kernel/local-time.ts';
import { type StaffRole, staffRoles } from '../../kernel/staff-roles.ts';
import { bringReportSumsUpToDate } from '../reports/reports.ts';
import { type AttentionKind, attentionKinds } from './attention.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());
const { context } = service;
const nowMs = context.clock.now();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ago = (ms: number) => isoTimestamp(nowMs - ms);

const option = { priceCents: 1_000, content: '1' };
const shop = await createTestShop(context, {
  products: [
    {
      ...{ key: 'Gummies', category: 'Edibles', options: [{ key: 'gummies', ...option }] },
      stock: [{ option: 'gummies', amount: '100' }],
    },
    {
      ...{ key: 'Drinks', category: 'Edibles', options: [{ key: 'drinks', ...option }] },
      stock: [
        {
          ...{ option: 'drinks', amount: '100', label: '1A4FF0000000000000000007' },
          expirationDate: addDays(localDateAt(nowMs, 'America/Los_Angeles'), 60),
        },
      ],
    },
  ],
});
const stranger = await service.staff(await createTestShop(context));
const owner = await service.staff(shop);
const staff = Object.fromEntries(
  await Promise.all(staffRoles.map(async (role) => [role, await service.staff(shop, role)] as const)),
);
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
const own = `organization_id = ${shop.organizationId}`;
const post = async (path: string, body: object = {}) => {
  const { data, error } = await owner.call('POST', `/staff/v1/${path}`, body);
  expect(error).toBeUndefined();
  return data;
};
const seen = async (by = owner) => {
  const { data, error } = await by.call('GET', '/staff/v1/attention');
  expect(error).toBeUndefined();
  return data as { total: number; items: { kind: AttentionKind; count: number; since: string | null }[] };
};

const place = () =>
  post('orders', {
    ...{ type: 'in-store', customer: { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' } },
    lineItems: [{ productOptionId: shop.optionId('gummies'), quantity: 3 }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    idempotencyKey: randomUUID(),
  });
const placed = await place();
if (placed.status === 'draft') await post(`orders/${placed.id}/accept`);
await post(`orders/${placed.id}/fulfill`);
const waiting = await place();
await bringReportSumsUpToDate(context, shop.organizationId);
const [{ user_id: customerId }] = (await sql(`select user_id from orders where ${own}`)) as [
  { user_id: number },
];
const register = await post('registers', {
  name: 'Counter',
  inventoryLocationId: shop.locationId('Storefront'),
});
const integrator = await createTestIntegrator(context);
const ends = { expiresAtMs: nowMs + 90 * dayMs };
const { id: keyId } = await createTestKeys(context, shop.organizationId, integrator, ends);

interface Case {
  readonly roles: readonly StaffRole[];
  readonly make: () => Promise<unknown>;
  readonly settle: () => Promise<unknown>;
  /** It is of the deployment. */
  readonly isOfEveryShop?: true;
  /** The moment that is shown. */
  readonly since?: string;
}

const sellers = ['owner', 'manager', 'budtender'] as const;
const managers = ['owner', 'manager'] as const;
const stockKeepers = ['owner', 'manager', 'inventory'] as const;
const hours = 60 * minuteMs;
const drawer = (id: number, openedAt: string, closedAt: string | null) =>
  sql(
    `insert into drawer_sessions (organization_id, id, register_id, float_cents, opened_at, opened_by_staff_id,
       closed_at, closed_by_staff_id)
     values (${shop.organizationId}, ${id}, ${register.id}, 0, '${openedAt}', ${owner.staffId},
       ${closedAt === null ? 'null, null' : `'${closedAt}', ${owner.staffId}`})`,
  );

const cases: Readonly<Record<AttentionKind, Case>> = {
  'late-orders': {
    roles: sellers,
    since: ago(31 * minuteMs),
    make: () =>
      sql(`update orders set created_at = $1 where ${own} and id = '${waiting.id}'`, ago(31 * minuteMs)),
    settle: () =>
      sql(`update orders set created_at = $1 where ${own} and id = '${waiting.id}'`, ago(29 * minuteMs)),
  },
  'state-reports': {
    roles: managers,
    since: ago(hours),
    make: async () => {
      await sql(
        `insert into state_connections (organization_id, id, system, state, is_sandbox, license_number, is_on, sealed_key,
           sealed_key_master_key_id, created_at, updated_at)
         values (${shop.organizationId}, 1, 'metrc', 'CA', false, 'TEST-R-0001', true, '', 'none', $1, $1)`,
        ago(hours),
      );
      await sql(
        `insert into state_reports (organization_id, id, connection_id, kind, order_id, order_number, revision,
           external_number, payload, digest, packages, state, next_at, occurred_at, alarm_at, created_at, updated_at)
         values (${shop.organizationId}, 1, 1, 'sale', '${placed.id}', 1, 1, '1-1-2', '{}', repeat('0', 64), '{}', 'waiting',
           $1, $1, $1, $1, $1)`,
        ago(hours),
      );
    },
    settle: () => sql(`update state_reports set state = 'accepted', settled_at = $1 where ${own}`, ago(0)),
  },
  payments: {
    roles: managers,
    since: ago(hours),
    make: async () => {
      const type = shop.paymentTypeId('Cash');
      await sql(
        `insert into payment_connections (organization_id, id, name, provider, payment_type_id, base_url, account, secrets,
           secrets_master_key_id, created_at, updated_at)
         values (${shop.organizationId}, 1, 'Bank', 'bank', ${type}, 'https://bank.example.com', '{}', '', 'none', $1, $1)`,
        ago(hours),
      );
      await sql(
        `insert into payment_intents (organization_id, id, reference, payment_connection_id, order_id, payment_type_id, source,
           status, amount_cents, fee_amount_cents, captured_cents, facts, created_at, updated_at)
         values (${shop.organizationId}, 1, 'late', 1, '${placed.id}', ${type}, 'e-commerce', 'captured', 1, 0, 1, '{}', $1, $1)`,
        ago(hours),
      );
      await sql(
        `insert into payment_tasks (organization_id, id, kind, payment_intent_id, order_id, amount_cents, reason, created_at)
         values (${shop.organizationId}, 1, 'refund', 1, '${placed.id}', 1, 'late', $1)`,
        ago(hours),
      );
    },
    settle: () => sql(`update payment_tasks set done_at = $1 where ${own}`, ago(0)),
  },
  documents: {
    roles: sellers,
    since: ago(hours),
    make: () =>
      sql(
        `insert into customer_documents (organization_id, id, user_id, type, mime, byte_count, file_name,
           master_key_id, wrapped_key, status, uploaded_at, uploaded_by)
         values (${shop.organizationId}, 1, ${customerId}, 'license', 'image/png', 1, 'x', '0123456789abcdef',
           decode(repeat('00', 60), 'hex'), 'pending', $1, 'job:test')`,
        ago(hours),
      ),
    settle: () =>
      sql(`update customer_documents set status = 'rejected', reviewed_at = $1 where ${own}`, ago(0)),
  },
  'offline-sales': {
    roles: managers,
    since: ago(hours),
    make: () =>
      sql(
        `insert into offline_sales (organization_id, id, sale_id, register_id, number, outage_id, order_id, sold_at,
           received_at, sent_by_staff_id, total_cents, digest, reasons, details)
         values (${shop.organizationId}, 1, gen_random_uuid(), ${register.id}, 'R1-1', gen_random_uuid(),
           '${placed.id}', $1, $1, ${owner.staffId}, 0, '', '{stock}', '{}')`,
        ago(hours),
      ),
    settle: () =>
      sql(
        `update offline_sales set settled_at = $1, settled_by_staff_id = sent_by_staff_id where ${own}`,
        ago(0),
      ),
  },
  'driver-acts': {
    roles: managers,
    since: ago(0),
    make: async () => {
      const inventoryLocationId = shop.locationId('Storefront');
      const van = { name: 'Van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit' };
      const { id: placeId } = await post('inventory-locations', { name: 'Van', type: 'vehicle' });
      const { id: vehicleId } = await post('vehicles', { ...van, inventoryLocationId: placeId });
      const { id: registerId } = await post('registers', { name: 'Van', inventoryLocationId });
      const drives = { staffId: owner.staffId, registerId, sharesPosition: false };
      const { id: driverId } = await post('drivers', drives);
      const { id } = await post('trips', { driverId, vehicleId });
      const act = { kind: 'depart', stopId: null, occurredAt: ago(0), refusal: 'Too late', act: '{}' };
      await post(`trips/${id}/unsent-acts`, act);
    },
    settle: () => sql(`update trip_unsent_acts set settled_at = $1, act = null where ${own}`, ago(0)),
  },
  'open-drawers': {
    roles: managers,
    since: ago(2 * dayMs),
    make: () => drawer(1, ago(2 * dayMs), null),
    settle: () =>
      sql(
        `update drawer_sessions set closed_at = $1, closed_by_staff_id = opened_by_staff_id
                        where ${own} and id = 1`,
        ago(0),
      ),
  },
  'drawer-differences': {
    roles: managers,
    since: ago(dayMs),
    make: async () => {
      await drawer(2, ago(2 * dayMs), ago(dayMs));
      await sql(`insert into drawer_counts (organization_id, session_id, position, expected_cents, counted_cents)
                 values (${shop.organizationId}, 2, 0, 500, 400)`);
    },
    settle: () => sql(`update drawer_sessions set closed_at = $1 where ${own} and id = 2`, ago(8 * dayMs)),
  },
  'expiring-packages': {
    roles: stockKeepers,
    make: () =>
      sql(
        `update packages set expiration_date = $1::date where ${own}`,
        addDays(localDateAt(nowMs, 'America/Los_Angeles'), 3),
      ),
    settle: () => sql(`update packages set expiration_date = null where ${own}`),
  },
  'low-stock': {
    roles: stockKeepers,
    make: () =>
      sql(
        `update stock_balances set on_hand = 2 where ${own} and product_id = $1`,
        shop.productId('Gummies'),
      ),
    settle: () =>
      sql(
        `update stock_balances set on_hand = 50 where ${own} and product_id = $1`,
        shop.productId('Gummies'),
      ),
  },
  'failed-imports': {
    roles: stockKeepers,
    since: ago(hours),
    make: () =>
      sql(
        `insert into menu_imports (organization_id, id, file_name, file_bytes, record_count, mode, status, created_by,
           run_by, created_at, updated_at)
         values (${shop.organizationId}, 1, 'menu.csv', 1, 0, 'add', 'failed', ${owner.staffId}, ${owner.staffId}, $1, $1)`,
        ago(hours),
      ),
    settle: () =>
      sql(
        `insert into menu_imports (organization_id, id, file_name, file_bytes, record_count, mode, status, created_by,
           run_by, created_at, updated_at)
         values (${shop.organizationId}, 2, 'menu.csv', 1, 0, 'add', 'done', ${owner.staffId}, ${owner.staffId}, $1, $1)`,
        ago(0),
      ),
  },
  'lacking-facts': {
    roles: stockKeepers,
    make: async () => {
      await sql(
        `insert into taxes (organization_id, id, description, rate, basis, tier, type, included, encompass, exemptable,
           applies_to_fees, rounding, created_at)
         values (${shop.organizationId}, 1, 'By THC', 0, '{"kind": "thc-mg", "cents": "1"}', '1', 'excise', false, false,
           false, false, 'half-up', $1)`,
        ago(hours),
      );
      await sql(
        `update product_options set content = null, thc_mg = null where id = ${shop.optionId('gummies')}`,
      );
    },
    settle: () => sql(`update product_options set thc_mg = 100 where id = ${shop.optionId('gummies')}`),
  },
  'lost-photos': {
    roles: stockKeepers,
    since: ago(hours),
    make: () =>
      sql(
        `insert into product_photos (organization_id, id, product_id, position, location, gave_up_at)
         values (${shop.organizationId}, 1, ${shop.productId('Gummies')}, 0, 'https://photos.example.com/1.png', $1)`,
        ago(hours),
      ),
    settle: () => sql(`update product_photos set gave_up_at = null where ${own}`),
  },
  backups: {
    roles: ['owner'],
    isOfEveryShop: true,
    make: async () => raiseConcerns(newStatus(0), 24, behindMsMax + 1),
    settle: async () => raiseConcerns(newStatus(0), 24, behindMsMax),
  },
  webhooks: {
    roles: ['owner'],
    since: ago(2 * hours),
    make: () =>
      sql(
        `insert into webhook_endpoints (organization_id, id, integrator_id, client_key_id, url, types, enabled, secret,
           secret_master_key_id, position, created_at, failing_since)
         values (${shop.organizationId}, 1, ${integrator.id}, ${keyId}, 'https://hooks.example.com', '{order.created}',
           false, '', '', 0, $1, $1)`,
        ago(2 * hours),
      ),
    settle: () => sql(`update webhook_endpoints set deleted_at = $1 where ${own}`, ago(0)),
  },
  'refused-mail': {
    roles: ['owner'],
    since: ago(hours),
    make: () =>
      sql(
        `insert into mails (organization_id, id, kind, sender, recipient, subject, created_at, failure)
         values (${shop.organizationId}, 1, 'receipt', 'a@example.com', 'b@example.com', 'Receipt', $1, '550 no')`,
        ago(hours),
      ),
    settle: () => sql(`update mails set created_at = $1 where ${own}`, ago(8 * dayMs)),
  },
  'left-taxes': {
    roles: ['owner'],
    make: async () => {
      await sql(`update organizations set state = 'MO' where id = ${shop.organizationId}`);
      await sql(`update taxes set ends_at = $1 where ${own}`, ago(0));
      await owner.call('POST', '/staff/v1/taxes/apply-preset', {});
    },
    settle: () => sql(`update taxes set ends_at = $1 where ${own}`, ago(0)),
  },
  'ending-keys': {
    roles: ['owner'],
    since: ago(-5 * dayMs),
    make: () => sql(`update client_keys set expires_at = $1 where ${own} and id = ${keyId}`, ago(-5 * dayMs)),
    settle: () => sql(`update client_keys set revoked_at = $1 where ${own} and id = ${keyId}`, ago(0)),
  },
};

test('a calm shop has an empty list', async () => {
  expect(await seen()).toEqual({ total: 0, items: [] });
});

test.for(attentionKinds)(
  '%s waits for its roles until it is settled, and for no other shop',
  async (kind) => {
    const { roles, make, settle, since, isOfEveryShop } = cases[kind];
    await make();
    const { total, items } = await seen();
    expect(total).toBe(1);
    expect(items).toEqual([
      {
        ...{ kind, count: 1, since: since ?? null },
        day: kind === 'expiring-packages' ? addDays(localDateAt(nowMs, 'America/Los_Angeles'), 3) : null,
        customerId: kind === 'documents' ? customerId : null,
      },
    ]);
    const kindsOf = async (role: StaffRole) => (await seen(staff[role])).items.map((it) => it.kind);
    for (const role of staffRoles)
      expect([role, await kindsOf(role)]).toEqual([role, roles.includes(role) ? [kind] : []]);
    expect((await seen(stranger)).total).toBe(isOfEveryShop ? 1 : 0);
    await settle();
    expect(await seen()).toEqual({ total: 0, items: [] });
  },
);

test('a drawer that is opened in the evening is not forgotten after midnight, while the business day goes on', async () => {
  const midnight = localInstantMs(localDateAt(nowMs, 'America/Los_Angeles'), 0, 'America/Los_Angeles');
  const hourMs = 60 * minuteMs;
  await sql(`update organizations set business_day_starts_at = '04:00' where id = ${shop.organizationId}`);
  service.clock.advance(midnight + dayMs + hourMs - service.clock.now());
  await drawer(3, isoTimestamp(midnight + dayMs - 2 * hourMs), null);
  const kindsOf = async () => (await seen(await service.staff(shop))).items.map(({ kind }) => kind);
  expect(await kindsOf()).not.toContain('open-drawers');
  service.clock.advance(4 * hourMs);
  expect(await kindsOf()).toContain('open-drawers');
});
