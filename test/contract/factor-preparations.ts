import { randomBytes, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createStaff, digestOf, makeKey, startSession } from '../../src/access/organizations.ts';
import { hashPassword } from '../../src/access/passwords.ts';
import { makeTotpSecret } from '../../src/access/totp.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import { testOrigin } from '../harness/test-shop.ts';
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

export const factorPreparations: Readonly<Record<string, Preparation>> = {
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
    body: { secondFactorRoles: [], refundProofAbove: randomInt(1_000_000) },
  }),
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
