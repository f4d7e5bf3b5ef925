import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop } from '../../../test/harness/test-trade.ts';

/* PINs: who is at a shared register, and a manager's word there. */

const service = await startOwnTestService({ rateLimits: 'on' });
const shop = await openPlainShop(service, { budtenderDiscountPercent: '10', managerDiscountPercent: '25' });
const [manager, clerk, other] = [
  await service.staff(shop, 'manager'),
  await service.staff(shop, 'budtender'),
  await service.staff(shop, 'budtender'),
];
afterAll(() => service.close());

const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(service.context.database, shop.organizationId, text, ...values);
const setPin = (who: typeof clerk, pin: string | null) => who.call('PUT', '/staff/v1/me/pin', { pin });
const eighth = shop.optionId('eighth');
const cart = (percent: string) => ({
  ...{ type: 'in-store', lineItems: [{ productOptionId: eighth, quantity: 1 }] },
  lineReductions: [{ productOptionId: eighth, percent, reason: 'Torn box' }],
});
const approve = (pin: string, kind: string, who = clerk) =>
  who.call('POST', '/staff/v1/approvals', { pin, kind });
const withApproval = (token: string) => ({ headers: { 'x-approval': token } });

test('a PIN has enough digits for its role, is of one person, and is kept as a hash', async () => {
  for (const [who, pin, words] of [
    [manager, '4802', 'pin must have at least 6 digits for the role manager.'],
    [clerk, '1234', 'pin must not be one digit repeated, nor digits in a row.'],
    [clerk, '7777', 'pin must not be one digit repeated, nor digits in a row.'],
  ] as const) {
    expect((await setPin(who, pin)).error?.message).toBe(words);
  }
  for (const [who, pin] of [
    [manager, '480213'],
    [clerk, '5271'],
    [other, '8064'],
  ] as const) {
    expect((await setPin(who, pin)).status).toBe(204);
  }
  expect((await setPin(other, '5271')).error?.message).toBe(
    'pin must be another one: this one cannot be used.',
  );
  const rows = await sql('select pin_hash from staff_members where pin_hash is not null order by id');
  expect(rows.map(({ pin_hash: hash }) => String(hash).slice(0, 9))).toEqual(rows.map(() => '$argon2id'));
  const kept = JSON.stringify(await sql('select details from audit_entries'));
  for (const pin of ['480213', '5271', '8064']) expect(kept).not.toContain(`"${pin}"`);
});

test("a manager's word lets the other's request pass, in that session and for that kind of act only, and the audit names both", async () => {
  const refused = await clerk.call('POST', '/staff/v1/orders/pricing', cart('20'));
  expect(refused.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  expect((await approve('8064', 'amounts')).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  const { data: given } = await approve('480213', 'amounts');
  expect(given.approvedBy.id).toBe(manager.staffId);
  const priced = await clerk.call('POST', '/staff/v1/orders/pricing', cart('20'), withApproval(given.token));
  expect(priced.error).toBeUndefined();
  // A manager has a limit, too.
  const beyond = await clerk.call('POST', '/staff/v1/orders/pricing', cart('40'), withApproval(given.token));
  expect(beyond.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  const placed = await clerk.call(
    'POST',
    '/staff/v1/orders',
    { ...cart('20'), idempotencyKey: '3a5c1d9e-7c0f-4b7e-8f43-6f7d1f0a2b11' },
    withApproval(given.token),
  );
  expect(placed.data.lineReductions).toMatchObject([{ percent: '20', adminId: clerk.staffId }]);
  const [entry] = await sql(
    "select actor, details from audit_entries where action = 'order.placed' and subject_id = $1",
    placed.data.id,
  );
  expect(entry).toMatchObject({
    actor: `staff:${clerk.staffId}`,
    details: { approvedByStaffId: manager.staffId },
  });
  for (const [who, kind] of [
    [other, 'amounts'],
    [clerk, 'void'],
  ] as const) {
    const token = who === clerk ? (await approve('480213', kind)).data.token : given.token;
    const reply = await who.call('POST', '/staff/v1/orders/pricing', cart('20'), withApproval(token));
    expect(reply.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  }
  service.clock.advance(600_000);
  const late = await clerk.call('POST', '/staff/v1/orders/pricing', cart('20'), withApproval(given.token));
  expect(late.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
});

test('a sale is voided by the other with the word of a manager', async () => {
  const { data } = await clerk.call('POST', '/staff/v1/orders', {
    ...{ ...cart('5'), idempotencyKey: '3a5c1d9e-7c0f-4b7e-8f43-6f7d1f0a2b12' },
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  });
  await clerk.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
  const undo = { reason: 'Rung up twice' };
  expect((await clerk.call('POST', `/staff/v1/orders/${data.id}/void`, undo)).status).toBe(403);
  const { token } = (await approve('480213', 'void')).data;
  const voided = await clerk.call('POST', `/staff/v1/orders/${data.id}/void`, undo, withApproval(token));
  expect([voided.status, voided.data.canceledBy.id]).toEqual([200, clerk.staffId]);
});

test('the PIN changes who is at the register: the session before ends, and the new one proves nothing by itself', async () => {
  const reply = await service.call('POST', '/staff/v1/sessions/pin', {
    ...{ headers: { authorization: `Bearer ${clerk.token}` }, body: { pin: '8064' } },
  });
  expect([reply.status, reply.data.staff.id]).toEqual([201, other.staffId]);
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  expect((await service.call('GET', '/staff/v1/me', as(clerk.token))).status).toBe(401);
  const me = await service.call('GET', '/staff/v1/me', as(reply.data.token));
  expect(me.data.staff.id).toBe(other.staffId);
  const pin = await service.call('PUT', '/staff/v1/me/pin', {
    ...as(reply.data.token),
    body: { pin: '9173' },
  });
  expect(pin.error?.code).toBe('RECENT_PROOF_REQUIRED');
});

test('few wrong PINs are heard in a session, each is in the audit, and right ones do not count', async () => {
  for (let i = 0; i < 7; i++) expect((await approve('480213', 'void', other)).status).toBe(201);
  const tries: string[] = [];
  for (let i = 0; i < 7; i++) tries.push((await approve(`90${i}417`, 'void', other)).error!.code);
  expect(tries).toEqual([...Array(5).fill('INVALID_PARAMS'), ...Array(2).fill('RATE_LIMITED')]);
  expect((await approve('480213', 'void', other)).error?.code).toBe('RATE_LIMITED');
  const [counted] = await sql(
    "select count(*)::integer as n from audit_entries where action = 'staff.pin_refused'",
  );
  expect(counted!.n).toBe(5);
});

test('the PIN of who has left may be taken by another, and a role that needs more digits ends a PIN', async () => {
  const [owner, gone, next, raised] = [
    await service.staff(shop, 'owner'),
    await service.staff(shop, 'budtender'),
    await service.staff(shop, 'budtender'),
    await service.staff(shop, 'budtender'),
  ];
  const change = (id: number, body: object) => owner.call('PATCH', `/staff/v1/staff/${id}`, body);
  expect((await setPin(gone, '6193')).status).toBe(204);
  expect((await change(gone.staffId, { disabled: true })).status).toBe(200);
  expect((await setPin(next, '6193')).status).toBe(204);
  expect((await change(gone.staffId, { disabled: false })).status).toBe(200);
  const at = { headers: { authorization: `Bearer ${raised.token}` }, body: { pin: '6193' } };
  expect((await setPin(raised, '2958')).status).toBe(204);
  expect((await change(raised.staffId, { role: 'manager' })).status).toBe(200);
  expect((await approve('2958', 'void', next)).error?.message).toBe(
    'pin must be the PIN of a member of staff.',
  );
  const signed = await service.call('POST', '/staff/v1/sessions/pin', at);
  expect([signed.status, signed.data.staff?.id]).toEqual([201, next.staffId]);
});
