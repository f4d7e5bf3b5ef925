import { readFileSync, statSync } from 'node:fs';

/** The account that PostgreSQL runs under, if it differs from this process's account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to run PostgreSQL under, because it refuses root; undefined (this process's account) unless this process
 * is root. An existing cluster keeps its owner; a new one gets an existing system account, because initdb fails for a
 * user id without an entry in the password file.
 */
export function chooseAccount(clusterDir: string, ownUid = process.getuid?.()): Account | undefined {
  if (ownUid !== 0) return undefined;
  const cluster = statSync(clusterDir, { throwIfNoEntry: false });
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  const account = findAccount(readFileSync('/etc/passwd', 'utf8'));
  if (!account) {
    throw new Error(
      'PostgreSQL refuses to run as root, and /etc/passwd has no account postgres, nobody or daemon. ' +
        'Start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

/** The first candidate in a password file. macOS gives `nobody` the id −2, which does not match. */
export function findAccount(passwordFile: string): Account | undefined {
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const found = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwordFile);
    if (found && Number(found[1]) !== 0) return { uid: Number(found[1]), gid: Number(found[2]) };
  }
  return undefined;
}

/**
 * The path of the cluster for PostgreSQL. Another account may be unable to traverse the path (a clone in root's home),
 * but needs only the directory itself: it starts with that working directory, which Linux can open under this name
 * regardless of the parents.
 */
export function directoryArgument(clusterDir: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir;
}

/** Options for `spawn`: under the account, in `cwd`. */
export function childOptions(cwd: string, account: Account | undefined) {
  return {
    ...account,
    cwd,
    // A clean environment: PostgreSQL would obey PGPORT, PGDATA and the like.
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    // A separate process group: Ctrl-C reaches only this process, which must finish work before PostgreSQL stops.
    detached: true,
    windowsHide: true,
  };
}
