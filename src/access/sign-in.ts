import type { Context } from '../database/context.ts';
import { failure } from '../kernel/failure.ts';
import { organizationId } from '../kernel/ids.ts';
import type { Environment } from './api-keys.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';
import { refuseForSecondFactor } from './half-sign-in.ts';
import { knownDevice, type Signed, type SignInRequester, startSessionOf } from './open-session.ts';
import { isPasswordOf } from './passwords.ts';
import { findStaffAccount, findStaffAccounts, type StaffAccountRow } from './session-queries.ts';
import { deviceCookie, readDevice } from './staff-devices.ts';
import { emailDigest, normalizedEmail } from './staff-email.ts';

/** Accounts tried per email; with more, the request must name the organization. Each try costs a hash. */
const accountsTriedMax = 10;

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly organizationId?: number;
}

/**
 * Signs a member of staff in. An email may have accounts in several organizations: the password selects one; if it
 * matches several, `organizationId` is required. An unknown email, a disabled account and a wrong password get the same
 * 401, and each costs a hash. An attempt from a device that has signed in to such an account before counts for the
 * device, every other one for email and address; both may be refused. A member with a second factor gets
 * SECOND_FACTOR_REQUIRED, with a token for the second step.
 */
export async function signIn(
  context: Context,
  environment: Environment,
  { email, password, organizationId: only }: SignIn,
  requester: SignInRequester,
): Promise<Signed> {
  const digest = emailDigest(normalizedEmail(email));
  const deviceToken = requester.cookie(deviceCookie);
  const device = await knownDevice(context, readDevice(deviceToken, environment), digest);
  const account = digest.toString('base64');
  const attempt = await requester.countAttempt(
    device?.isOfEmail
      ? { kind: 'device', name: `${device.digest.toString('base64')} ${account}` }
      : { kind: 'account', name: account },
  );
  let accounts: Awaited<ReturnType<typeof accountsOf>>;
  let fitting: typeof accounts;
  try {
    accounts = await accountsOf(context, digest, only);
    fitting = await fittingAccounts(accounts, password);
  } catch (error) {
    // An internal error does not count as an attempt.
    attempt.giveBack();
    throw error;
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    recordFailedSignIn(context, requester, accounts);
    throw failure(
      'INVALID_API_CREDENTIALS',
      'email and password must be those of an active member of staff.',
    );
  }
  attempt.giveBack();
  if (others.length > 0) {
    const organizations = fitting.map((account) => account.organization).join(', ');
    throw failure(
      'INVALID_PARAMS',
      `organizationId must be given, one of ${organizations}: email and password match in each of them.`,
    );
  }
  const { organization, row } = first;
  if (row.has_app || row.has_passkey)
    await refuseForSecondFactor(context, environment, organization, row, requester);
  return startSessionOf(context, environment, organization, row, requester, {
    device: device === null ? 'new' : 'known',
  });
}

/** Stands for the account of an unknown email. No organization and no member has this id. */
const noAccount = { organization_id: 0, staff_id: 0 };

/** An unknown email costs the same statements as the email of one account: their time must not tell them apart. */
async function accountsOf({ database }: Context, digest: Buffer, only: number | undefined) {
  const found = await database.global(
    findStaffAccounts({ digest, only: only ?? null, limit: accountsTriedMax }),
  );
  const accounts = (found.length === 0 ? [noAccount] : found).map(
    async ({ organization_id: id, staff_id: staffId }) => {
      const organization = organizationId(id);
      const [rows] = await database.read(organization, findStaffAccount({ id: staffId }));
      return rows.map((row) => ({ organization, row }));
    },
  );
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
