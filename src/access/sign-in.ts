import type { Context } from '../database/context.ts';
import type { StaffCaller } from '../http/endpoint.ts';
import { failure } from '../kernel/failure.ts';
import { organizationId } from '../kernel/ids.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';
import type { Environment } from './api-keys.ts';
import { isPasswordOf } from './passwords.ts';
import { findStaffAccount, findStaffAccounts, type StaffAccountRow } from './session-queries.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';
import { startSession } from './start-session.ts';

/** Of one email. More need to say which organization they mean: each one tried costs a hash. */
const accountsTriedMax = 10;

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly organizationId?: number;
}

type Signed = StaffCaller & { readonly token: string };

/**
 * Signs a member of staff in. An email may belong to accounts of several organizations: the password says which, and
 * where it fits several, `organizationId` has to. An unknown email, a disabled account and a wrong password are the
 * same 401, and each costs a hash. `countAttempt` is given the account's digest and may refuse.
 */
export async function signIn(
  context: Context,
  environment: Environment,
  requestId: string | null,
  { email, password, organizationId: only }: SignIn,
  countAttempt: (account: string) => { giveBack(): void },
): Promise<Signed> {
  const digest = emailDigest(normalizedEmail(email));
  const attempt = countAttempt(digest.toString('base64'));
  let fitting: Awaited<ReturnType<typeof accountsOf>>;
  try {
    fitting = await fittingAccounts(await accountsOf(context, digest, only), password);
  } catch (error) {
    // Nobody's fault but ours.
    attempt.giveBack();
    throw error;
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    throw failure(
      'INVALID_API_CREDENTIALS',
      'email and password must be those of a member of staff who may sign in.',
    );
  }
  attempt.giveBack();
  if (others.length > 0) {
    const organizations = fitting.map((account) => account.organization).join(', ');
    throw failure(
      'INVALID_PARAMS',
      `organizationId must be given, one of ${organizations}: email and password are good for each of them.`,
    );
  }
  const { organization, row } = first;
  const origin = { actor: `staff:${row.id}`, requestId } as const;
  const { sessionId, token } = await startSession(context, environment, origin, organization, row.id);
  return {
    token,
    organizationId: organization,
    staffId: row.id,
    sessionId,
    role: row.role as StaffRole,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
  };
}

async function accountsOf({ database }: Context, digest: Buffer, only: number | undefined) {
  const found = await database.global(
    findStaffAccounts({ digest, only: only ?? null, limit: accountsTriedMax }),
  );
  const accounts = found.map(async ({ organization_id: id, staff_id: staffId }) => {
    const organization = organizationId(id);
    const [rows] = await database.read(organization, findStaffAccount({ id: staffId }));
    return rows.map((row) => ({ organization, row }));
  });
  return (await Promise.all(accounts)).flat();
}

async function fittingAccounts<Account extends { readonly row: StaffAccountRow }>(
  accounts: readonly Account[],
  password: string,
): Promise<Account[]> {
  if (accounts.length === 0) await isPasswordOf(null, password);
  const fits = await Promise.all(
    accounts.map(
      async ({ row }) => (await isPasswordOf(row.password_hash, password)) && row.disabled_at === null,
    ),
  );
  return accounts.filter((_, index) => fits[index]);
}
