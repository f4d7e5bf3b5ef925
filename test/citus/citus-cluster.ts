import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childOptions, chooseAccount } from '../../src/hosting/embedded-postgres/account.ts';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { childrenOf, freePorts, send } from '../harness/standby-pair.ts';
import { execute } from '../harness/test-connection.ts';
import type { Machine } from './machines.ts';

const run = promisify(execFile);

/** As docs/CITUS.md says, and as tests need it: without a wait for the disk. */
const settings = {
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  max_connections: '200',
  max_prepared_transactions: '200',
  max_locks_per_transaction: '1024',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  fsync: 'off',
  wal_level: 'logical',
  archive_mode: 'on',
  hot_standby: 'on',
  wal_retrieve_retry_interval: '100ms',
  client_connection_check_interval: '2s',
  jit: 'off',
  'citus.shard_count': '8',
  'citus.node_conninfo': 'sslmode=disable connect_timeout=2 tcp_user_timeout=3000',
};

/** One PostgreSQL of a cluster, at a port of the loopback or on a machine, and what its operator does with it. */
export class ClusterServer {
  readonly host: string;
  readonly port: number;
  readonly folder: string;
  readonly machine: Machine | undefined;
  readonly #cluster: Cluster;
  #child: ChildProcess | undefined;

  constructor(cluster: Cluster, name: string, port: number, machine: Machine | undefined) {
    this.#cluster = cluster;
    this.host = machine?.host ?? '127.0.0.1';
    this.port = port;
    this.machine = machine;
    this.folder = join(cluster.folder, name);
  }

  /** The segments of its log. */
  get archive(): string {
    return `${this.folder}.archive`;
  }

  async make(): Promise<void> {
    this.#ownFolder(this.folder);
    await this.run(
      'initdb',
      '-D',
      this.folder,
      '-U',
      'postgres',
      '--auth=trust',
      '-E',
      'UTF8',
      '--no-locale',
    );
    if (this.machine) appendFileSync(join(this.folder, 'pg_hba.conf'), 'host all all 10.77.0.0/24 trust\n');
    await this.start();
    await this.sql('create role dispensary_owner login createrole', 'postgres');
    await this.sql('create database dispensary owner dispensary_owner', 'postgres');
    await this.sql('create extension citus');
  }

  /** A streaming copy of this server at a port of its own; commits here wait for it from now on. */
  async makeStandby(name: string): Promise<ClusterServer> {
    const standby = await this.#cluster.place(name);
    await this.copyTo(standby.folder, '--create-slot', '--slot', name, '--write-recovery-conf');
    await standby.start();
    // Its name, not '*': while a part moves, the server that gets it follows this one's log, too.
    await this.sql(`alter system set synchronous_standby_names = 'walreceiver'`);
    await this.sql('select pg_reload_conf()');
    return standby;
  }

  get #base(): string {
    return `${this.folder}.base`;
  }

  /** A base backup, from which `restoreTo` begins. */
  backUp(): Promise<void> {
    return this.copyTo(this.#base);
  }

  /** Resolves when its archive has all that it has written. */
  async archiveAll(): Promise<void> {
    const [row] = await this.sql('select pg_walfile_name(pg_switch_wal()) as name');
    while (!existsSync(join(this.archive, String(row!.name)))) await pause(50);
  }

  /** Its disk is gone. */
  async lose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  /** From the base backup, and its archive up to the restore point. */
  async restoreTo(point: string): Promise<void> {
    await run('cp', ['-a', this.#base, this.folder]);
    const how = `restore_command = 'cp ${this.archive}/%f %p'
recovery_target_name = '${point}'
recovery_target_action = 'promote'
`;
    appendFileSync(join(this.folder, 'postgresql.auto.conf'), how);
    const signal = join(this.folder, 'recovery.signal');
    writeFileSync(signal, '');
    const { account } = this.#cluster;
    if (account) chownSync(signal, account.uid, account.gid);
    await this.start();
    for (;;) {
      const [row] = await this.sql('select pg_is_in_recovery() as is_on');
      if (row!.is_on === false) break;
      await pause(50);
    }
  }

  /** A base backup, while it runs. */
  async copyTo(folder: string, ...options: readonly string[]): Promise<void> {
    this.#ownFolder(folder);
    const from = ['-h', this.host, '-p', String(this.port), '-U', 'postgres'];
    await this.run('pg_basebackup', ...from, '-D', folder, '--checkpoint=fast', ...options);
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    this.#ownFolder(this.archive);
    const all = {
      ...settings,
      listen_addresses: this.host,
      port: String(this.port),
      // Complete or not there.
      archive_command: `cp %p ${this.archive}/%f.part && mv ${this.archive}/%f.part ${this.archive}/%f`,
    };
    const log = openSync(`${this.folder}.log`, 'a');
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { account, folder } = this.#cluster;
    const command = [this.#cluster.program('postgres'), '-D', this.folder, ...options];
    if (this.machine && account) {
      command.unshift(...this.machine.prefix, 'setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`);
      command.splice(command.indexOf('setpriv') + 1, 0, '--clear-groups');
    }
    const child = spawn(command[0]!, command.slice(1), {
      ...childOptions(folder, this.machine ? undefined : account),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    this.machine?.own(child.pid!);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The server ended: see ${this.folder}.log`);
      const isUp = await this.run('pg_isready', '-q', '-h', this.host, '-p', String(this.port)).catch(
        () => null,
      );
      if (isUp !== null) return;
    }
  }

  sql(text: string, database = 'dispensary'): Promise<Record<string, unknown>[]> {
    return execute(this.connection('postgres', database), text);
  }

  connection(user: string, database = 'dispensary'): ConnectionConfig {
    return { connectionString: `postgres://${user}@${this.host}:${this.port}/${database}` };
  }

  /** All of its processes stand still, as on a machine that hangs. */
  stall(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** All of its processes are gone, as of a machine that lost power. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.#signal('SIGKILL');
    await ended;
  }

  /** As `pg_ctl stop -m fast`. */
  async stop(): Promise<void> {
    const ended = once(this.#child!, 'exit');
    this.#child!.kill('SIGINT');
    await ended;
  }

  /** Whether its process has not ended; PostgreSQL ends by itself when its log cannot be written. */
  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it takes writes. */
  async promote(): Promise<void> {
    await this.sql('select pg_promote()');
  }

  run(program: string, ...args: readonly string[]): Promise<unknown> {
    return run(
      this.#cluster.program(program),
      args,
      childOptions(this.#cluster.folder, this.#cluster.account),
    );
  }

  #ownFolder(folder: string): void {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    const { account } = this.#cluster;
    if (account) chownSync(folder, account.uid, account.gid);
  }

  #signal(name: NodeJS.Signals): void {
    const pid = this.#child!.pid!;
    // The postmaster first: it must not start others meanwhile.
    for (const one of [pid, ...childrenOf(pid)]) send(one, name);
  }
}

export interface ClusterPlaces {
  /** Those of the coordinator and of the workers; by default all are on the loopback, with two workers. */
  readonly machines?: readonly Machine[];
  /** May prepare the folder of the first worker. */
  readonly beforeWorker?: (folder: string) => void;
}

/** A coordinator and its workers, of the PostgreSQL with Citus whose programs are in a folder. */
export class Cluster {
  readonly folder: string;
  readonly account: ReturnType<typeof chooseAccount>;
  readonly #programs: string;
  readonly #made: ClusterServer[] = [];
  coordinator!: ClusterServer;
  coordinatorStandby: ClusterServer | undefined;
  workers: ClusterServer[] = [];

  private constructor(programs: string, folder: string) {
    this.#programs = programs;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
    this.account = chooseAccount(join(folder, 'coordinator'));
    if (this.account) chownSync(folder, this.account.uid, this.account.gid);
  }

  static async make(
    programs: string,
    folder: string,
    { machines = [], beforeWorker = () => {} }: ClusterPlaces = {},
  ): Promise<Cluster> {
    const cluster = new Cluster(programs, folder);
    const [coordinator, ...workers] = machines;
    cluster.coordinator = await cluster.add('coordinator', coordinator);
    beforeWorker(join(folder, 'worker1'));
    for (let number = 1; number <= (workers.length || 2); number += 1) {
      cluster.workers.push(await cluster.add(`worker${number}`, workers[number - 1]));
    }
    const { host, port } = cluster.coordinator;
    await cluster.coordinator.sql(`select citus_set_coordinator_host('${host}', ${port})`);
    for (const worker of cluster.workers) {
      await cluster.coordinator.sql(`select citus_add_node('${worker.host}', ${worker.port})`);
    }
    return cluster;
  }

  program(name: string): string {
    return join(this.#programs, name);
  }

  /** A further server, which the coordinator does not know yet. */
  async add(name: string, machine?: Machine): Promise<ClusterServer> {
    const server = await this.place(name, machine);
    await server.make();
    return server;
  }

  /** A folder and a port for a server that is not there yet. */
  async place(name: string, machine?: Machine): Promise<ClusterServer> {
    const [port] = await freePorts(1);
    const server = new ClusterServer(this, name, port!, machine);
    this.#made.push(server);
    return server;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#made.map((server) => server.kill()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
