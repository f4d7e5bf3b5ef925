import { afterAll, describe, expect, test } from 'vitest';
import { staffRoles } from '../../src/kernel/staff-roles.ts';
import type { StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { openWitness } from '../harness/witness.ts';
import type { ContractRequest } from './contract-world.ts';
import { createStaffTenant, sendAs, staffRequest } from './staff-world.ts';

/*
 * Recent proofs of who uses a session, and second factors that a role needs (D72): of every operation that the declarations
 * mark.
 */

const service = await startOwnTestService();
const tenant = await createStaffTenant(service);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const { organizationId } = tenant.shop;
const guarded = service.staffEndpoints.filter(({ roles }) => roles !== 'anyone');
const each = (endpoints: readonly StaffEndpoint[]) => endpoints.map((it) => [it.id, it] as const);

test('what D72 names needs a recent proof, and nothing else', () => {
  const marked = guarded.filter(({ recentProof }) => recentProof !== undefined);
  expect(Object.fromEntries(marked.map(({ id, recentProof }) => [id, recentProof]))).toEqual({
    setMyPin: 'always',
    exchangeGoods: 'if the customer gets more than `refundProofAbove` of the rules of signing in',
    createPaymentConnection: 'always',
    updatePaymentConnection: 'always',
    viewCustomerDocument: 'always',
    exportCustomer: 'always',
    exportAuditLog: 'always',
    getSalesReport: 'if `format` is csv',
    getSalesPartReport: 'if `format` is csv',
    getTaxReport: 'if `format` is csv',
    getInventoryValueReport: 'if `format` is csv',
    createClientKey: 'always',
    rotateClientKey: 'always',
    revokeClientKey: 'always',
    inviteStaff: 'always',
    inviteStaffAgain: 'always',
    updateStaff: 'always',
    resetSecondFactor: 'always',
    updateSignInRules: 'always',
    setIdentityProvider: 'always',
    removeIdentityProvider: 'always',
    unlinkStaffIdentity: 'always',
    beginTotp: 'always',
    beginPasskey: 'always',
    removePasskey: 'always',
    removeTotp: 'always',
    renewRecoveryCodes: 'always',
    createCustomer: 'if `taxExempt` is true',
    updateCustomer: 'if the customer becomes `taxExempt`',
    staffPlaceOrder: 'if `taxExempt.exempt` is true',
    editOrder: 'if `taxExempt.exempt` is true',
    returnOrder: 'if the refund is above `refundProofAbove` of the rules of signing in',
  });
});

describe.each(each(guarded.filter(({ recentProof }) => recentProof === 'always')))('%s', (_, endpoint) => {
  test('refuses a proof of ten minutes ago, and serves one of a moment before', async () => {
    const owner = await service.staff(tenant.shop, 'owner', 'of signing in');
    service.clock.advance(599_999);
    const served = await sendAs(service, owner, endpoint, await staffRequest(service, endpoint, tenant));
    expect([served.status, served.error]).toEqual([endpoint.success.status, undefined]);
    const request = await staffRequest(service, endpoint, tenant);
    service.clock.advance(1);
    const before = await witness.contents(organizationId);
    const refused = await sendAs(service, owner, endpoint, request);
    expect([refused.status, refused.error?.code]).toEqual([403, 'RECENT_PROOF_REQUIRED']);
    expect(await witness.contents(organizationId)).toEqual(before);
  });
});

const closed = guarded.filter(({ isOpenWithoutFactor }) => !isOpenWithoutFactor);

test('people who must set up a second factor can do so, sign out, and nothing else', async () => {
  const open = guarded.filter(({ isOpenWithoutFactor }) => isOpenWithoutFactor).map(({ id }) => id);
  expect(open.toSorted()).toEqual([
    'addPasskey',
    'beginPasskey',
    'beginTotp',
    'changeMyPassword',
    'confirmTotp',
    'getMe',
    'getMySecondFactor',
    'listMyPasskeys',
    'proveMyself',
    'signOut',
  ]);
  const [owner, member] = [await service.staff(tenant.shop), await service.staff(tenant.shop)];
  // One after the other: what some of them need ends what another one began.
  const requests: (readonly [StaffEndpoint, ContractRequest])[] = [];
  for (const it of closed) requests.push([it, await staffRequest(service, it, tenant)]);
  await tenantSql(service.context.database, organizationId, 'delete from staff_totp_secrets');
  await tenantSql(service.context.database, organizationId, 'delete from staff_passkeys');
  await owner.call('PATCH', '/staff/v1/sign-in-rules', { secondFactorRoles: staffRoles });
  service.clock.advance(1_000);
  const before = await witness.contents(organizationId);
  for (const [endpoint, request] of requests) {
    const { status, error } = await sendAs(service, member, endpoint, request);
    expect([endpoint.id, status, error?.code]).toEqual([endpoint.id, 403, 'SECOND_FACTOR_NOT_SET_UP']);
  }
  expect(await witness.contents(organizationId)).toEqual(before);
  expect(service.faults).toEqual([]);
});
