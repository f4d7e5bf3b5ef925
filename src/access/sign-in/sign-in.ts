import type { Environment } from '../../kernel/api-keys.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { organizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { CountedAttempt } from '../../platform/http/endpoint.ts';
import { deviceCookie, findStaffAccount, readDevice } from '../sessions/sessions.ts';
import { emailDigest, findStaffAccounts, isPasswordOf, normalizedEmail } from '../staff/staff.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';
import { refuseForSecondFactor } from './half-sign-in.ts';
import { knownDevice, type Signed, type SignInRequester, startSessionOf } from './open-session.ts';

/** Accounts tried per email; with more, the request must name the organization. Each try costs a hash. */
const accountsTriedMax = 10;

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly organizationId?: number;
}

/**
 * Signs a member of staff in. An email may have accounts in several organizations: the password selects one; if it
 * matches several, `organizationId` is required. An unknown email, a disabled account and a wrong password get the same
 * 401, and each costs a hash. A try at an account from a device that has opened it before counts for the device and the account,
 * every other one for the email, and both for the address. A person who has an account with the email in another organization can
 * guess no more than others: a password that opens one account and not the other is a failure at the other. A member with a
 * second factor gets SECOND_FACTOR_REQUIRED, with a token for the second step.
 */
export async function signIn(
  context: Context,
  environment: Environment,
  { email, password, organizationId: only }: SignIn,
  requester: SignInRequester,
): Promise<Signed> {
  const digest = emailDigest(normalizedEmail(email));
  const device = await knownDevice(context, readDevice(requester.cookie(deviceCookie), environment), digest);
  const find = () => findAccounts(context, digest, only);
  const attempt = await countSignIn(requester, device, digest, find);
  let tried: TriedAccount[];
  try {
    tried = await triedAccounts(context, attempt, await find(), password);
  } catch (error) {
    // An internal error does not count as an attempt.
    for (const each of attempt.counted.values()) each.giveBack();
    attempt.ofEmail?.giveBack();
    throw error;
  }
  const wrong = tried.filter(({ fits, row }) => !fits && row.password_hash !== null);
  const [first, ...others] = tried.filter(({ fits }) => fits);
  for (const { name, fits } of tried) if (fits) attempt.counted.get(name)?.giveBack();
  if (first !== undefined && wrong.every(({ name }) => attempt.counted.has(name)))
    attempt.ofEmail?.giveBack();
  if (first === undefined) recordFailedSignIn(context, requester, tried);
  else if (wrong.length > 0) recordFailedSignIn(context, requester, wrong);
  if (first === undefined) {
    throw (
      attempt.refused?.() ??
      failure('INVALID_API_CREDENTIALS', 'email and password must be those of an active member of staff.')
    );
  }
  if (others.length > 0) {
    const organizations = [first, ...others].map((account) => account.organization).join(', ');
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

interface CountedSignIn {
  /** Accounts that the device has opened, and what a try at each has taken. */
  readonly counted: ReadonlyMap<string, CountedAttempt>;
  /** What a try at all other accounts of the email has taken; undefined: there are none, or no more may be tried. */
  readonly ofEmail?: CountedAttempt;
  /** Why accounts that the device has not opened are not tried. */
  readonly refused?: () => Failure;
}

/** Counts a sign-in before its outcome is known. Fails with RATE_LIMITED if no account may be tried. */
async function countSignIn(
  { tryToCount }: SignInRequester,
  device: Awaited<ReturnType<typeof knownDevice>>,
  email: Buffer,
  find: () => Promise<readonly { readonly name: string }[]>,
): Promise<CountedSignIn> {
  const counted = new Map<string, CountedAttempt>();
  const found = device === null || device.opened.length === 0 ? [] : await find();
  for (const { name: account } of found) {
    if (!device!.opened.includes(account)) continue;
    const attempt = { kind: 'device', name: device!.digest.toString('base64'), account } as const;
    const one = await tryToCount(attempt);
    if ('giveBack' in one) counted.set(account, one);
  }
  if (counted.size > 0 && found.every(({ name }) => counted.has(name))) return { counted };
  const ofEmail = await tryToCount({ kind: 'account', name: email.toString('base64') });
  if ('giveBack' in ofEmail) return { counted, ofEmail };
  if (counted.size === 0) throw ofEmail.refused();
  return { counted, refused: ofEmail.refused };
}

async function findAccounts({ database }: Context, digest: Buffer, only: number | undefined) {
  const find = findStaffAccounts({ digest, only: only ?? null, limit: accountsTriedMax });
  const found = await database.global(find);
  return found.map((ids) => ({ ...ids, name: `${ids.organization_id}/${ids.staff_id}` }));
}

/** Stands for the account of an unknown email. No organization and no member has this id. */
const noAccount = { organization_id: 0, staff_id: 0, name: '' };

type TriedAccount = Awaited<ReturnType<typeof triedAccounts>>[number];

/** An unknown email costs the same statements and a hash, as the email of one account: their time must not tell them apart. */
async function triedAccounts(
  { database }: Context,
  { counted, refused }: CountedSignIn,
  found: Awaited<ReturnType<typeof findAccounts>>,
  password: string,
) {
  const allowed = refused === undefined ? found : found.filter(({ name }) => counted.has(name));
  const accounts = (found.length === 0 ? [noAccount] : allowed).map(
    async ({ organization_id: id, staff_id: staffId, name }) => {
      const organization = organizationId(id);
      const [rows] = await database.read(organization, findStaffAccount({ id: staffId }));
      return rows.map((row) => ({ organization, row, name }));
    },
  );
  const rows = (await Promise.all(accounts)).flat();
  if (rows.length === 0) await isPasswordOf(null, password);
  return Promise.all(
    rows.map(async (account) => {
      const { password_hash: passwordHash, disabled_at: disabledAt } = account.row;
      return { ...account, fits: (await isPasswordOf(passwordHash, password)) && disabledAt === null };
    }),
  );
}
