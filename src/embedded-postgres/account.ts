import { readFileSync, statSync } from 'node:fs';

/** The account that PostgreSQL runs under, where it is not our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Under which account to run PostgreSQL, which refuses root: undefined for our own, which is every case
 * but root's. A cluster that exists keeps its owner; a new one goes to an account that the machine has
 * anyway, because initdb fails for a user id without an entry in the password file.
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

/** The first of our candidates in the text of a password file. macOS's nobody has the id −2: no match. */
export function findAccount(passwordFile: string): Account | undefined {
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const found = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwordFile);
    if (found && Number(found[1]) !== 0) return { uid: Number(found[1]), gid: Number(found[2]) };
  }
  return undefined;
}

/**
 * How the cluster is named to PostgreSQL. As another account it may not be able to walk to it (a clone in
 * root's home), but needs no more than the directory itself: it is put there by its working directory,
 * which Linux lets it open under this name whatever lies above.
 */
export function directoryArgument(clusterDir: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir;
}

/** For `spawn`: under the account, in `cwd`. */
export function childOptions(cwd: string, account: Account | undefined) {
  return {
    ...account,
    cwd,
    // A clean environment: PGPORT, PGDATA and the like would be obeyed.
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    // A group of its own: Ctrl-C is for us, who still have something to do before it may go.
    detached: true,
    windowsHide: true,
  };
}
