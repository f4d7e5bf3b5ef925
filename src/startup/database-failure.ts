import { join } from 'node:path';
import { Failure } from '../kernel/failure.ts';
import { reasonOfFileFailure } from '../kernel/file-failure.ts';
import { type Config, withoutSecrets } from './config.ts';

/** Which of the two logins of an external database is used. */
type Login = 'owner' | 'serving';

interface Remedy {
  /** Of Node where no connection is made, of OpenSSL where its certificate is not good, of PostgreSQL where it refuses. */
  readonly codes: RegExp;
  /** Words that only this case has; without them, any message of the code. */
  readonly saying?: RegExp;
  /** What the code means, where the message itself does not say it in words. */
  readonly meaning?: string;
  readonly remedy: string;
}

const orAnother = 'or name the host and port of the one that runs.';

/** The first one that fits is said. */
const remedies: readonly Remedy[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    meaning: 'its host is no name that this machine can look up',
    remedy: 'Correct the name, or give an address.',
  },
  {
    codes: /^ECONNREFUSED$/,
    meaning: 'no PostgreSQL listens there',
    remedy: `Start the PostgreSQL there, ${orAnother}`,
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/,
    meaning: 'that host cannot be reached',
    remedy: 'Look at the network and the firewalls between, or name another host.',
  },
  {
    codes: /^(ECONNRESET|EPIPE|EPROTO)$|^ERR_SSL/,
    meaning: 'what listens there cuts the connection',
    remedy: `See that it is a PostgreSQL, and speaks TLS if sslmode says so, ${orAnother}`,
  },
  {
    codes: /^ENOENT$/,
    saying: /^connect /,
    meaning: 'no PostgreSQL has its socket there',
    remedy: 'Start the PostgreSQL there, or name the folder of its socket.',
  },
  {
    codes: /^EACCES$/,
    saying: /^connect /,
    meaning: 'this account may not open the socket there',
    remedy: 'Let it, or name a host and a port.',
  },
  {
    codes: /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF|UNABLE_TO_|CERT_|ERR_TLS_CERT)/,
    meaning: 'the TLS certificate of the server is not trusted',
    remedy:
      'Add sslrootcert=<file of its authority> to the address, and name the host that the certificate is for.',
  },
  {
    codes: /^$/,
    saying: /does not support SSL/,
    remedy: 'Switch TLS on at the server, or take sslmode out of the address where the network is trusted.',
  },
  { codes: /^28/, saying: /no encryption/, remedy: 'Add sslmode=require to the address.' },
  { codes: /^28/, remedy: 'Name a login and a password that it knows.' },
  { codes: /^3D000$/, remedy: 'Create that database, or name another.' },
  { codes: /^57P03$/, remedy: 'Wait until it is up, and start again.' },
  { codes: /^53300$/, remedy: 'Raise its max_connections, or end other sessions.' },
  { codes: /^53100$/, remedy: 'Make room on the disk of the database.' },
  {
    codes: /^42501$/,
    remedy: 'What the logins may do and who prepares it: docs/OPERATIONS.md, "The database".',
  },
];

/**
 * Resolves as `work` does, which uses the database. What goes wrong with an external one is thrown as an Error that
 * names the setting, shows its value without a password and says what to do. Of the embedded one, a refused password is
 * thrown so, with the file that holds it; everything else as it is.
 */
export async function namingDatabase<Result>(
  { dataDir, databaseUrl, databaseAppUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseAppUrl'>,
  login: Login,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (databaseUrl === undefined) throw ofEmbedded(error, dataDir);
    const isApart = login === 'serving' && databaseAppUrl !== undefined;
    const setting = isApart
      ? `DATABASE_APP_URL ${withoutSecrets(databaseAppUrl)}`
      : `DATABASE_URL ${withoutSecrets(databaseUrl)}`;
    throw new Error(`${setting}: ${wordsOf(error)}`, { cause: error });
  }
}

function ofEmbedded(error: unknown, dataDir: string): unknown {
  const reason = error instanceof Failure && error.cause !== undefined ? error.cause : error;
  if ((reason as NodeJS.ErrnoException).code !== '28P01') return error;
  const words =
    `${join(dataDir, 'postgres-credentials.json')} does not hold the passwords of the database in ` +
    `${join(dataDir, 'postgres')}: ${(reason as Error).message}. Restore both from the same backup.`;
  return new Error(words, { cause: error });
}

function wordsOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return wordsOf(error.cause);
  // Of a name with several addresses, each of which was tried.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  const { code = '', message, path, syscall } = error as NodeJS.ErrnoException;
  // A file that the address names, such as sslrootcert.
  if (path !== undefined && syscall !== 'connect') {
    return `its file ${path} cannot be read: ${reasonOfFileFailure(error)}. Name a file that can.`;
  }
  const said = message.replace(/\.$/, '');
  const found = remedies.find(({ codes, saying }) => codes.test(code) && (saying?.test(message) ?? true));
  if (found === undefined) return `${said}.`;
  return `${found.meaning === undefined ? said : `${found.meaning} (${said})`}. ${found.remedy}`;
}
