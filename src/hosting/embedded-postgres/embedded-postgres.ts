import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { chooseAccount } from './account.ts';
import { chooseAddress } from './address.ts';
import { prepareBinaries } from './binaries.ts';
import {
  ensureCluster,
  ensureRoles,
  finishMove,
  layoutOf,
  makeDataDirectory,
  type Passwords,
  readPasswords,
} from './cluster.ts';
import { holderOf, isAlive, lockDataDirectory } from './lock.ts';
import { launch, readPostmasterFile, shutDown, shutDownNow, stopOrphan } from './process.ts';
import { type RestartStatistics, supervise } from './supervisor.ts';

/** Signals that ask a program to end: Ctrl-C, a process manager, a closed terminal. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal that asks this process to end, runs `work` and ends it with 128 plus the signal's number, like shells.
 * `work` is synchronous, so that the rest of the program cannot fail on the removed resources. Returns the function
 * that removes the handlers.
 */
function onEndingSignal(work: () => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    try {
      work();
    } finally {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of endingSignals) process.on(signal, end);
  return () => {
    for (const signal of endingSignals) process.off(signal, end);
  };
}

/** Address and login, usable as the configuration of a `pg` client. */
interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

interface EmbeddedConnections {
  /** For migrations and creating databases; owns everything. */
  readonly ownerConnection: DatabaseConnection;
  /** For requests: owns nothing and cannot bypass row-level security. */
  readonly servingConnection: DatabaseConnection;
  /** The superuser, for tasks that the others are not allowed to do. */
  readonly adminConnection: DatabaseConnection;
}

export interface EmbeddedPostgres extends EmbeddedConnections {
  readonly version: string;
  readonly restarts: Readonly<RestartStatistics>;
  /** Whether PostgreSQL or its parent process was killed before, or the machine lost power. */
  readonly endedUncleanly: boolean;
  /** Until it is called, a signal stops PostgreSQL and ends this process; then the caller handles signals. */
  leaveSignals(): void;
  /** Ends all sessions, writes a checkpoint, waits for the end and releases the data directory. */
  stop(): Promise<void>;
}

interface Options {
  /** The folder of all its files; created if needed. */
  readonly dataDir: string;
  readonly onProgress: (message: string) => void;
  /** PostgreSQL settings, by name, that replace those for durable data: tests need no durability. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** The folder of PostgreSQL's programs; default: those of this installation. */
  readonly programs?: string | undefined;
  /** For a cluster that is made: its passwords, and a cluster whose owner it gets. */
  readonly passwords?: Passwords | undefined;
  readonly ownedLike?: string | undefined;
  /** Called when it ends unexpectedly and at each restart attempt; default: `onProgress`. */
  readonly onTrouble?: ((message: string) => void) | undefined;
  /** Called when it runs again; default: `onTrouble`. */
  readonly onRecovered?: ((message: string) => void) | undefined;
  /** Called when it cannot be restarted: the service cannot work any more. Default: `onTrouble`. */
  readonly onLost?: ((reason: Error) => void) | undefined;
}

/**
 * Starts the PostgreSQL of this installation on `dataDir`. The first start creates the cluster and the two roles. If it
 * ends unexpectedly, it is restarted ({@link supervise}). Throws when another live process uses the directory, and with
 * the remedy when this machine cannot run it. Leftovers of a killed process (lock, server, sockets, a partial cluster)
 * are cleared first. SIGINT, SIGTERM and SIGHUP stop it and end this process from the start on.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress, onTrouble = onProgress } = options;
  const { onLost = ({ message }) => onTrouble(message) } = options;
  const layout = layoutOf(makeDataDirectory(dataDir));
  const unlock = lockDataDirectory(layout.dataDir);
  const undo: (() => void)[] = [unlock];
  const giveBack = () => {
    for (let step = undo.pop(); step; step = undo.pop()) step();
  };
  let supervisor: ReturnType<typeof supervise> | undefined;
  // Its separate process group hides it from Ctrl-C, so this process must stop it.
  const leaveSignals = onEndingSignal(() => {
    supervisor?.stopNow();
    giveBack();
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await supervisor?.stop();
    giveBack();
    leaveSignals();
  };
  const stopOnce = () => (stopping ??= stop());
  try {
    finishMove(layout.dataDir);
    const account = chooseAccount(options.ownedLike ?? layout.clusterDir);
    const binaries = prepareBinaries(layout.dataDir, account, options.programs);
    undo.push(binaries.remove);
    const passwords = ensureCluster(layout, binaries, account, onProgress, options.passwords);
    // A clean end removes it.
    const endedUncleanly = readPostmasterFile(layout) !== undefined;
    const address = await chooseAddress(layout, account);
    undo.push(address.remove);
    const server = {
      clear: () => stopOrphan(layout, onProgress),
      launch: () => launch(layout, binaries, account, address, options.settings),
      shutDown: (child: ChildProcess) => shutDown(child, layout, binaries),
      shutDownNow: (child: ChildProcess) => shutDownNow(child, layout, binaries),
    };
    supervisor = supervise(server, { onTrouble, onRecovered: options.onRecovered, onLost });
    await supervisor.ready;
    const connections = connectionsTo(address.host, address.port, passwords);
    await ensureRoles(connections.adminConnection, passwords);
    return {
      ...connections,
      version: binaries.version,
      restarts: supervisor.statistics,
      endedUncleanly,
      leaveSignals,
      stop: stopOnce,
    };
  } catch (error) {
    await stopOnce();
    throw error;
  }
}

/**
 * The connections to the PostgreSQL that another live process runs on `dataDir`; null if there is none, or it accepts
 * no connections yet.
 */
export function connectEmbedded({ dataDir }: Pick<Options, 'dataDir'>): EmbeddedConnections | null {
  if (!existsSync(dataDir)) return null;
  const layout = layoutOf(dataDir);
  if (!holderOf(layout.dataDir)) return null;
  const running = readPostmasterFile(layout);
  if (!running?.ready || !isAlive(running.pid)) return null;
  return connectionsTo(running.host, running.port, readPasswords(layout));
}

function connectionsTo(host: string, port: number, passwords: Passwords): EmbeddedConnections {
  const at = { host, port };
  return {
    ownerConnection: { ...at, user: 'dispensary_owner', password: passwords.owner, database: 'dispensary' },
    servingConnection: { ...at, user: 'dispensary_app', password: passwords.app, database: 'dispensary' },
    adminConnection: { ...at, user: 'postgres', password: passwords.postgres, database: 'postgres' },
  };
}
