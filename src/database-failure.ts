import { type Config, withoutSecrets } from './config.ts';
import { Failure } from './kernel/failure.ts';

/** Which of the two logins of somebody's own database is used. */
type Login = 'owner' | 'serving';

/** What to do, by the code of the error: of Node where nobody answers, of PostgreSQL where it refuses. */
const remedies: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'Its host is no name that this machine can look up.'],
  [/^E[A-Z]+$/, 'Start the PostgreSQL there, or name the host and port of the one that runs.'],
  [/^28/, 'Name a login and a password that it knows.'],
  [/^3D000$/, 'Create that database, or name another.'],
  [/^42501$/, 'What the logins may do and who prepares it: docs/OPERATIONS.md, "The database".'],
];

/**
 * Resolves as `work` does, which uses the database. What goes wrong with somebody's own is thrown as an Error that
 * names the setting, shows its value without a password and says what to do; with the embedded one, as it is.
 */
export async function namingDatabase<Result>(
  { databaseUrl, databaseAppUrl }: Pick<Config, 'databaseUrl' | 'databaseAppUrl'>,
  login: Login,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (databaseUrl === undefined) throw error;
    const isApart = login === 'serving' && databaseAppUrl !== undefined;
    const setting = isApart
      ? `DATABASE_APP_URL ${withoutSecrets(databaseAppUrl)}`
      : `DATABASE_URL ${withoutSecrets(databaseUrl)}`;
    throw new Error(`${setting}: ${wordsOf(error)}`, { cause: error });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return wordsOf(error.cause);
  // Of a name with several addresses, each of which was tried.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  const { code = '', message } = error as NodeJS.ErrnoException;
  const remedy = remedies.find(([codes]) => codes.test(code))?.[1];
  return `${message.replace(/\.$/, '')}.${remedy === undefined ? '' : ` ${remedy}`}`;
}
