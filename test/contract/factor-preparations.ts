import { randomBytes, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { challengeDigest, handleOf } from '../../src/access/sign-in/passkey-ceremony.ts';
import { makeTotpSecret } from '../../src/access/sign-in/totp.ts';
import { hashPassword } from '../../src/access/staff/passwords.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { digestOf, makeKey } from '../../src/kernel/api-keys.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { SoftPasskey } from '../harness/soft-passkey.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import type { ContractRequest, Tenant } from './contract-world.ts';

/** What the example of an operation requires: see staff-world.ts. */
export type Preparation = (
  service: TestService,
  tenant: Tenant,
  request: ContractRequest,
) => Promise<Partial<ContractRequest>>;

/* Passwords and second factors of the people who ask. Any member of the shop may be the one. */

const password = 'lemon grove 77';
let knownHash: Promise<string> | undefined;

/** Members signed in for a test have no password. */
async function giveAllThePassword({ context }: TestService, { shop }: Tenant): Promise<void> {
  knownHash ??= hashPassword(password);
  const known = 'update staff_members set password_hash = $1';
  await tenantSql(context.database, shop.organizationId, known, await knownHash);
}

const secret = randomBytes(20);

function codeNow({ clock }: TestService): string {
  const of = new Secret({ buffer: Uint8Array.from(secret).buffer });
  return new TOTP({ secret: of }).generate({ timestamp: clock.now() });
}

/** The app of a member: waiting for its first code, or in use. */
async function giveApp(service: TestService, { shop }: Tenant, staffId: number, isConfirmed: boolean) {
  const { organizationId: id } = shop;
  const { sealed } = await makeTotpSecret(
    service.documentFiles.keys,
    (count) => secret.subarray(0, count),
    { id, name: 'Test Shop' },
    { staffId, email: 'robin@shop.example.com' },
  );
  await tenantSql(
    service.context.database,
    id,
    `insert into staff_totp_secrets (organization_id, staff_id, secret, secret_master_key_id, created_at, confirmed_at)
       values (current_organization_id(), $1, $2, $3, '2026-01-01', case when $4 then '2026-01-01'::timestamptz end)
     on conflict (organization_id, staff_id) do update
       set secret = excluded.secret, secret_master_key_id = excluded.secret_master_key_id,
           confirmed_at = excluded.confirmed_at, last_step = 0`,
    staffId,
    sealed.wrapped as Buffer,
    sealed.masterKeyId,
    isConfirmed,
  );
}

async function withoutApps({ context }: TestService, { shop }: Tenant): Promise<void> {
  await tenantSql(context.database, shop.organizationId, 'delete from staff_totp_secrets');
  await withoutPasskeys(context, shop);
}

async function withoutPasskeys({ database }: Context, { organizationId }: TestShop): Promise<void> {
  await tenantSql(database, organizationId, 'delete from staff_passkeys');
}

async function giveAllTheApp(service: TestService, tenant: Tenant, isConfirmed: boolean): Promise<void> {
  const { organizationId } = tenant.shop;
  const members = await tenantSql(
    service.context.database,
    organizationId,
    'select distinct staff_id as id from staff_sessions where revoked_at is null',
  );
  for (const { id } of members) await giveApp(service, tenant, Number(id), isConfirmed);
}

/* Passkeys: of every member of the shop, so that any of them may be the one who asks. */

const localhost = 'http://localhost';
const passkeyOf = { challenge: '', rpId: 'localhost', userHandle: 'AAAA' };

async function challenged({ context }: TestService, { shop }: Tenant, purpose: string) {
  const { organizationId } = shop;
  const challenge = randomBytes(32).toString('base64url');
  const members = await tenantSql(context.database, organizationId, 'select id from staff_members');
  const asked = purpose === 'sign-in' ? [null] : members.map(({ id }) => Number(id));
  for (const staffId of asked) {
    await tenantSql(
      context.database,
      organizationId,
      `insert into staff_passkey_challenges (digest, purpose, organization_id, staff_id, expires_at)
       values ($1, $2, case when $3::bigint > 0 then current_organization_id() end, nullif($3::bigint, 0), '2200-01-01')`,
      challengeDigest(challenge, staffId === null ? null : { organizationId, staffId }),
      ...[purpose, staffId ?? 0],
    );
  }
  return { ...passkeyOf, challenge };
}

/** Resolves to the id of the passkey, which is the same of each member. */
async function giveAllPasskey({ context }: TestService, { shop }: Tenant, passkey: SoftPasskey) {
  await withoutPasskeys(context, shop);
  const id = await context.ids.takeOne();
  await tenantSql(
    context.database,
    shop.organizationId,
    `insert into staff_passkeys
       (organization_id, staff_id, id, credential_id, public_key, counter, transports, name, created_at)
     select current_organization_id(), m.id, $1, $2, $3, 0, '{}', 'Phone', '2026-01-01' from staff_members m`,
    ...[id, Buffer.from(passkey.id, 'base64url'), passkey.coseKey],
  );
  return id;
}

/** A PIN that no member has, and not too simple. */
const newPin = () => `90${randomInt(100_000, 1_000_000)}`;

async function pinOfManager(service: TestService, { shop }: Tenant): Promise<string> {
  const pin = newPin();
  const manager = await service.staff(shop, 'manager');
  await manager.call('PUT', '/staff/v1/me/pin', { pin });
  return pin;
}

export const factorPreparations: Readonly<Record<string, Preparation>> = {
  addPasskey: async (service, tenant) => {
    const begun = await challenged(service, tenant, 'register');
    // A member may have a few only.
    await withoutPasskeys(service.context, tenant.shop);
    return { body: { name: 'Phone', ...new SoftPasskey().register(begun, localhost) } };
  },
  removePasskey: async (service, tenant) => ({
    params: { passkeyId: await giveAllPasskey(service, tenant, new SoftPasskey()) },
  }),
  proveMyselfByPasskey: async (service, tenant) => {
    const passkey = new SoftPasskey();
    await giveAllPasskey(service, tenant, passkey);
    return { body: passkey.assert(await challenged(service, tenant, 'prove'), localhost) };
  },
  signInWithPasskey: async (service, tenant) => {
    const { organizationId } = tenant.shop;
    const passkey = new SoftPasskey();
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const person = { email, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    const [staffId] = await createStaff(service.context, testOrigin, organizationId, [
      { ...person, password: null },
    ]);
    await giveAllPasskey(service, tenant, passkey);
    const userHandle = Buffer.from(handleOf(organizationId, staffId!)).toString('base64url');
    const begun = await challenged(service, tenant, 'sign-in');
    return { body: { ...passkey.assert(begun, localhost), userHandle } };
  },
  setMyPin: async () => ({ body: { pin: newPin() } }),
  signInByPin: async (service, tenant) => ({ body: { pin: await pinOfManager(service, tenant) } }),
  giveApproval: async (service, tenant) => ({
    body: { pin: await pinOfManager(service, tenant), kind: 'void' },
  }),
  changeMyPassword: async (service, tenant) => {
    await giveAllThePassword(service, tenant);
    return { body: { currentPassword: password, newPassword: 'quiet harbor lantern' } };
  },
  endStaffSession: async (service, tenant) => {
    const { organizationId } = tenant.shop;
    const person = { firstName: 'Robin', lastName: 'Castellan', role: 'budtender' } as const;
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const [staffId] = await createStaff(service.context, testOrigin, organizationId, [
      { ...person, email, password: null },
    ]);
    const started = await startSession(service.context, 'production', testOrigin, organizationId, staffId!);
    return { params: { sessionId: started.sessionId } };
  },
  proveMyself: async (service, tenant) => {
    await giveAllThePassword(service, tenant);
    await withoutApps(service, tenant);
    return { body: { password } };
  },
  // Others go on with the same members, who have no second factor.
  updateSignInRules: async () => ({
    body: { secondFactorRoles: [], refundProofAbove: randomInt(1_000_000), allowedAddresses: [] },
  }),
  unlinkStaffIdentity: async (service, tenant, { params }) => {
    await tenantSql(
      service.context.database,
      tenant.shop.organizationId,
      `insert into staff_identities (organization_id, issuer, subject, staff_id, linked_at)
       values (current_organization_id(), 'https://login.example.com', $1, $2, '2026-01-01')`,
      ...[randomBytes(5).toString('hex'), Number(params.staffId)],
    );
    return {};
  },
  beginTotp: async (service, tenant) => {
    await withoutApps(service, tenant);
    return {};
  },
  confirmTotp: async (service, tenant) => {
    await giveAllTheApp(service, tenant, false);
    return { body: { code: codeNow(service) } };
  },
  removeTotp: async (service, tenant) => {
    await giveAllTheApp(service, tenant, true);
    return {};
  },
  renewRecoveryCodes: async (service, tenant) => {
    await giveAllTheApp(service, tenant, true);
    return {};
  },
  resetSecondFactor: async (service, tenant, { params }) => {
    await giveApp(service, tenant, Number(params.staffId), true);
    return {};
  },
  finishSignIn: async (service, tenant) => {
    const { context } = service;
    const { organizationId } = tenant.shop;
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const person = { email, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    const [staffId] = await createStaff(context, testOrigin, organizationId, [{ ...person, password: null }]);
    await giveApp(service, tenant, staffId!, true);
    const signInToken = makeKey('dch', 'production', randomBytes);
    await tenantSql(
      context.database,
      organizationId,
      `insert into staff_half_sign_ins (digest, organization_id, staff_id, expires_at)
       values ($1, current_organization_id(), $2, '2200-01-01')`,
      digestOf(signInToken),
      staffId!,
    );
    return { body: { signInToken, code: codeNow(service) } };
  },
};
