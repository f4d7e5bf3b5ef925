import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/kernel/clock.ts';
import { type DatabaseDeadlines, servingDeadlines } from '../../src/platform/connections/deadlines.ts';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { distribute } from '../../src/platform/distribution/distribute.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { DiskBlobStore } from '../../src/platform/storage/blob-store.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import { openPlainShop } from '../harness/test-trade.ts';
import { Cluster, type ClusterPlaces, type ClusterServer } from './citus-cluster.ts';
import { type CitusService, SteadyShop } from './steady-shops.ts';

const run = promisify(execFile);

/** A distributed database on servers of its own, a service on it with the deadlines of the program, and shops that sell. */
export class CitusWorld {
  readonly cluster: Cluster;
  service!: CitusService;
  readonly shops: SteadyShop[] = [];

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async make(folder: string, places?: ClusterPlaces): Promise<CitusWorld> {
    const world = new CitusWorld(await Cluster.make(process.env.POSTGRES_PROGRAMS!, folder, places));
    await migrate(world.owner);
    await distribute(world.owner);
    await world.serve();
    return world;
  }

  /** The owner at the coordinator; after a failover at one of two. */
  get owner(): ConnectionConfig {
    return {
      connectionString: this.url,
      options: '-c citus.propagate_set_commands=local',
      isDistributed: true,
    };
  }

  get url(): string {
    const { coordinator, coordinatorStandby } = this.cluster;
    const places = [coordinator, ...(coordinatorStandby ? [coordinatorStandby] : [])];
    return `postgres://dispensary_owner@${places.map(({ host, port }) => `${host}:${port}`).join(',')}/dispensary`;
  }

  /** Starts the service, or another one in its place. */
  async serve(): Promise<void> {
    await this.service?.close();
    this.service = await this.#start(servingDeadlines);
  }

  #start(deadlines?: DatabaseDeadlines): Promise<CitusService> {
    const { owner } = this;
    return startOwnTestService({
      database: {
        isShared: true,
        owner,
        serving: { ...owner, options: `${owner.options} -c role=dispensary_app` },
        drop: async () => {},
      },
      clock: systemClock,
      ...(deadlines && { deadlines }),
    });
  }

  /** Opens so many shops whose rows are on a server; each begins to sell. */
  async openShops(server: ClusterServer, count: number): Promise<readonly SteadyShop[]> {
    const opened: SteadyShop[] = [];
    // The first statements of all kinds, on a machine that may be busy: with the deadlines of tests.
    const opening = await this.#start();
    while (opened.length < count) {
      const shop = await openPlainShop(opening as unknown as TestService);
      if ((await this.portOf(shop.organizationId)) !== server.port) continue;
      opened.push(SteadyShop.open(this.service, shop));
    }
    await opening.close();
    this.shops.push(...opened);
    return opened;
  }

  async portOf(organization: number): Promise<number> {
    const [row] = await this.cluster.coordinator.sql(
      `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
        where n.noderole = 'primary'
          and p.shardid = get_shard_id_for_distribution_column('organizations', ${organization}::bigint)`,
    );
    return Number(row!.port);
  }

  get #dataFolder(): string {
    return join(this.cluster.folder, 'data');
  }

  /** The operator's command; resolves to what it says. */
  async command(...args: readonly string[]): Promise<string> {
    const done = await run(process.execPath, ['dispensary.mjs', ...args], {
      env: { ...process.env, DATABASE_URL: this.url, DATA_DIR: this.#dataFolder },
    }).catch((error) => Promise.reject(new Error(`${args.join(' ')}: ${error.stdout}${error.stderr}`)));
    return done.stdout;
  }

  async stopShops(): Promise<void> {
    await Promise.all(this.shops.map((shop) => shop.stop()));
  }

  /** Each answered order is there once (or of those that are given), and `verify` finds no damage; the shops end. */
  async expectWhole(placed?: ReadonlyMap<SteadyShop, readonly string[]>): Promise<void> {
    await this.stopShops();
    for (const shop of this.shops) await shop.expectWhole(this.service, placed?.get(shop));
    // The picture of the shops' products.
    await new DiskBlobStore(join(this.#dataFolder, 'photos')).put('a.svg', Buffer.from('<svg/>'));
    await this.command('verify');
  }

  async close(): Promise<void> {
    await this.stopShops();
    await this.service?.close();
  }
}
