import { join } from 'node:path';
import { Failure } from '../../kernel/failure.ts';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import type { Config } from './config.ts';
import { withoutSecrets } from './shown-setting.ts';

/** The two logins of an external database. */
type Login = 'owner' | 'serving';

interface Remedy {
  /** Codes of Node without a connection, of OpenSSL for a bad certificate, of PostgreSQL for a refusal. */
  readonly codes: RegExp;
  /** A pattern that only this case matches; without it, any message with the code. */
  readonly saying?: RegExp;
  /** The meaning of the code, if the message does not tell it. */
  readonly meaning?: string;
  readonly remedy: string;
}

const orOtherHost = 'or set the host and port of a running one.';

/** The first match is used. */
const remedies: readonly Remedy[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    meaning: 'this machine cannot resolve its host name',
    remedy: 'Correct the name, or use an address.',
  },
  {
    codes: /^ECONNREFUSED$/,
    meaning: 'no PostgreSQL listens there',
    remedy: `Start the PostgreSQL there, ${orOtherHost}`,
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/,
    meaning: 'that host cannot be reached',
    remedy: 'Check the network and the firewalls, or use another host.',
  },
  {
    codes: /^(ECONNRESET|EPIPE|EPROTO)$|^ERR_SSL/,
    meaning: 'the server there closes the connection',
    remedy: `Check that it is a PostgreSQL, with TLS if sslmode requires it, ${orOtherHost}`,
  },
  {
    codes: /^ENOENT$/,
    saying: /^connect /,
    meaning: 'there is no PostgreSQL socket',
    remedy: 'Start the PostgreSQL there, or set the folder of its socket.',
  },
  {
    codes: /^EACCES$/,
    saying: /^connect /,
    meaning: 'this account may not open the socket there',
    remedy: 'Grant access, or set a host and a port.',
  },
  {
    codes: /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF|UNABLE_TO_|CERT_|ERR_TLS_CERT)/,
    meaning: 'the TLS certificate of the server is not trusted',
    remedy:
      'Add sslrootcert=<file of its authority> to the address, and use the host name of the certificate.',
  },
  {
    codes: /^$/,
    saying: /does not support SSL/,
    remedy: 'Enable TLS at the server, or remove sslmode from the address if the network is trusted.',
  },
  { codes: /^28/, saying: /no encryption/, remedy: 'Add sslmode=require to the address.' },
  { codes: /^28/, remedy: 'Set a login and a password that it accepts.' },
  { codes: /^3D000$/, remedy: 'Create that database, or name another.' },
  {
    codes: /^$/,
    saying: /is a standby, which takes no writes/,
    remedy: 'Set the address of the primary, or of both servers, separated by a comma.',
  },
  {
    codes: /^$/,
    saying: /^none of its servers takes writes/,
    remedy: 'Promote one of them, or add the primary.',
  },
  { codes: /^57P03$/, remedy: 'Wait until it is up, then start again.' },
  { codes: /^53300$/, remedy: 'Raise its max_connections, or end other sessions.' },
  { codes: /^53100$/, remedy: 'Free space on the disk of the database.' },
  {
    codes: /^42501$/,
    remedy: 'See docs/OPERATIONS.md, "The database", for the rights of the logins.',
  },
];

/**
 * Runs `work`, which uses the database. A failure with an external database becomes an Error that names the setting,
 * its value without the password, and a remedy. For the embedded one, a refused password becomes such an Error with the
 * password file; other errors stay unchanged.
 */
export async function explainDatabaseFailure<Result>(
  { dataDir, databaseUrl, databaseAppUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseAppUrl'>,
  login: Login,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (databaseUrl === undefined) throw ofEmbedded(error, dataDir);
    const hasOwnLogin = login === 'serving' && databaseAppUrl !== undefined;
    const setting = hasOwnLogin
      ? `DATABASE_APP_URL ${withoutSecrets(databaseAppUrl)}`
      : `DATABASE_URL ${withoutSecrets(databaseUrl)}`;
    throw new Error(`${setting}: ${wordsOf(error)}`, { cause: error });
  }
}

function ofEmbedded(error: unknown, dataDir: string): unknown {
  const reason = error instanceof Failure && error.cause !== undefined ? error.cause : error;
  if ((reason as NodeJS.ErrnoException).code !== '28P01') return error;
  const words =
    `${join(dataDir, 'postgres-credentials.json')} does not contain the passwords of the database in ` +
    `${join(dataDir, 'postgres')}: ${(reason as Error).message}. Restore both from the same backup.`;
  return new Error(words, { cause: error });
}

function wordsOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return wordsOf(error.cause);
  // A name with several addresses, all of which failed.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  const { code = '', message, path, syscall } = error as NodeJS.ErrnoException;
  // A file in the address, such as sslrootcert.
  if (path !== undefined && syscall !== 'connect') {
    return `its file ${path} cannot be read: ${reasonOfFileFailure(error)}. Name another file.`;
  }
  const said = message.replace(/\.$/, '');
  const found = remedies.find(({ codes, saying }) => codes.test(code) && (saying?.test(message) ?? true));
  if (found === undefined) return `${said}.`;
  return `${found.meaning === undefined ? said : `${found.meaning} (${said})`}. ${found.remedy}`;
}
