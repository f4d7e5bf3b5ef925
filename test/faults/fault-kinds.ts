import { closeSync, cpSync, lstatSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import { connectEmbedded } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { type FaultyWorld, largestRelation, type Place, verifyAt } from './faulty-world.ts';
import { nextChange } from './moved-clock.ts';

/** One kind of fault. `run` makes it and takes it back; a text: why it cannot be made here. */
export interface Fault {
  readonly name: string;
  readonly place: Place;
  readonly run: (world: FaultyWorld, random: SeededRandom) => Promise<string | null>;
}

const done = null;
/** The zone of a test shop. */
const shopZone = 'America/Los_Angeles';
const copied = { recursive: true, preserveTimestamps: true } as const;
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, signal);
}

async function kill(world: FaultyWorld, withDatabase: boolean): Promise<null> {
  await world.deployment.kill(withDatabase);
  await world.restart();
  return done;
}

const embedded: readonly Fault[] = [
  { name: 'kill-program', place: 'embedded', run: (world) => kill(world, false) },
  { name: 'kill-both', place: 'embedded', run: (world) => kill(world, true) },
  {
    name: 'kill-database',
    place: 'embedded',
    run: async (world) => {
      process.kill(-world.deployment.postmasterPid, 'SIGKILL');
      return done;
    },
  },
  {
    name: 'kill-session',
    place: 'embedded',
    run: async (world, random) => {
      const [, ...children] = world.databasePids();
      process.kill(children[random.integer(0, children.length - 1)]!, 'SIGKILL');
      return done;
    },
  },
  {
    name: 'stop-program',
    place: 'embedded',
    run: async (world, random) => {
      process.kill(world.deployment.programPid, 'SIGSTOP');
      await delay(random.integer(500, 5_000));
      process.kill(world.deployment.programPid, 'SIGCONT');
      return done;
    },
  },
  {
    name: 'stop-database',
    place: 'embedded',
    run: async (world, random) => {
      const pids = world.databasePids();
      signalAll(pids, 'SIGSTOP');
      await delay(random.integer(500, 7_000));
      signalAll(pids, 'SIGCONT');
      return done;
    },
  },
  {
    name: 'exhausted-connections',
    place: 'embedded',
    run: async (world, random) => {
      const { ownerConnection } = connectEmbedded(world.deployment)!;
      const open: Client[] = [];
      const openMore = async () => {
        while (open.length < 400) {
          const client = new Client(ownerConnection);
          client.on('error', () => {});
          const isFree = await client.connect().then(
            () => true,
            () => false,
          );
          if (!isFree) return;
          open.push(client);
        }
      };
      await Promise.all(Array.from({ length: 10 }, openMore));
      await delay(random.integer(1_000, 4_000));
      await Promise.all(open.map((client) => client.end().catch(() => {})));
      return open.length < 400 ? done : 'the server takes more connections than were opened';
    },
  },
  {
    name: 'damaged-file',
    place: 'embedded',
    run: async (world) => {
      // The damage is that of a copy: a damaged database has lost what it had, and must be told of.
      const copy = `${world.deployment.dataDir} copied`;
      // A clean end: recovery would write pages of the last minutes anew, and mend them.
      world.deployment.terminate();
      await world.deployment.ended;
      try {
        cpSync(world.deployment.dataDir, copy, { ...copied, filter: (path) => !lstatSync(path).isSocket() });
      } finally {
        await world.restart();
      }
      const file = largestRelation(copy);
      const handle = openSync(file, 'r+');
      const at = Math.floor(statSync(file).size / 2) + 100;
      const bytes = Buffer.alloc(64);
      readSync(handle, bytes, 0, 64, at);
      writeSync(
        handle,
        bytes.map((byte) => byte ^ 0xff),
        0,
        64,
        at,
      );
      closeSync(handle);
      await world.load.pause();
      const found = await verifyAt({ DATA_DIR: world.deployment.dataDir }, null, copy);
      world.load.resume();
      rmSync(copy, { recursive: true, force: true });
      if (found.length === 0) throw new Error(`verify does not find 64 changed bytes in ${file}`);
      return done;
    },
  },
  {
    name: 'client-resets',
    place: 'embedded',
    run: async (world, random) => {
      for (let at = 0; at < 20; at += 1) {
        world.clients.reset();
        await delay(random.integer(20, 200));
      }
      return done;
    },
  },
  {
    name: 'client-black-hole',
    place: 'embedded',
    run: async (world, random) => {
      world.clients.mode = 'black hole';
      await delay(random.integer(1_000, 4_000));
      world.clients.reset();
      world.clients.mode = 'passes';
      return done;
    },
  },
  {
    name: 'client-slow',
    place: 'embedded',
    run: async (world, random) => {
      world.clients.mode = 'slow';
      await delay(random.integer(1_000, 5_000));
      world.clients.mode = 'passes';
      return done;
    },
  },
];

const ofSmallDisk: readonly Fault[] = [
  {
    name: 'full-disk',
    place: 'small disk',
    run: async ({ disk }, random) => {
      disk!.fill();
      await delay(random.integer(2_000, 6_000));
      disk!.free();
      return done;
    },
  },
  {
    name: 'no-inodes',
    place: 'small disk',
    run: async ({ disk }, random) => {
      disk!.fillInodes();
      await delay(random.integer(1_000, 5_000));
      disk!.free();
      return done;
    },
  },
  {
    name: 'read-only-disk',
    place: 'small disk',
    run: async (world, random) => {
      // A disk that turns read-only ends a PostgreSQL that writes; only then does Linux let a disk be remounted.
      const { programPid } = world.deployment;
      process.kill(programPid, 'SIGSTOP');
      try {
        signalAll(world.databasePids(), 'SIGKILL');
        const reason = await world.disk!.makeReadOnly();
        if (reason !== null) return reason;
      } finally {
        process.kill(programPid, 'SIGCONT');
      }
      await delay(random.integer(1_000, 5_000));
      world.disk!.makeWritable();
      return done;
    },
  },
];

const ofWire: readonly Fault[] = [
  {
    name: 'database-black-hole',
    place: 'behind a wire',
    run: async ({ wire }, random) => {
      wire!.blackHole();
      await delay(random.integer(1_000, 5_000));
      return done;
    },
  },
  {
    name: 'database-reset-before',
    place: 'behind a wire',
    run: (world, random) => sever(world, random, 'before'),
  },
  {
    name: 'database-reset-after',
    place: 'behind a wire',
    run: (world, random) => sever(world, random, 'after'),
  },
];

/** The connections break at a batch, before it is executed or with its answer, and the server is away for a while. */
async function sever({ wire }: FaultyWorld, random: SeededRandom, side: 'before' | 'after'): Promise<null> {
  const broken = new Promise<void>((resolve) => wire!.severAt(random.integer(1, 60), side, resolve));
  await broken;
  await delay(random.integer(100, 3_000));
  wire!.mend();
  return done;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The clock jumps under load; sessions outlive an hour, and not a day. */
async function jump({ clock, load, ...world }: FaultyWorld, random: SeededRandom): Promise<null> {
  const byMs = [hourMs, -hourMs, dayMs, -dayMs][random.integer(0, 3)]!;
  await clock!.move(clock!.aheadMs + byMs);
  if (Math.abs(byMs) > hourMs) await world.signIn(clock!.now());
  else await staffIsKnown(load);
  return done;
}

async function staffIsKnown(load: FaultyWorld['load']): Promise<void> {
  if ((await load.askAsStaff('GET', '/orders?limit=1')) === null)
    throw new Error('the session of staff is refused');
}

/** Trades across the instant at which the clocks of the shop's zone are changed. */
async function changeClocks({ clock, load, ...world }: FaultyWorld, way: 'forward' | 'back'): Promise<null> {
  const changeMs = nextChange(shopZone, way, Date.now() + dayMs);
  await clock!.move(changeMs - 3_000 - Date.now());
  await world.signIn(clock!.now());
  while (clock!.now() < changeMs) await delay(50);
  await load.placesFurther(10, 30_000);
  await staffIsKnown(load);
  return done;
}

const ofClock: readonly Fault[] = [
  { name: 'clock-jump', place: 'by a moved clock', run: jump },
  ...(['forward', 'back'] as const).map(
    (way): Fault => ({
      name: `clock-change-${way}`,
      place: 'by a moved clock',
      run: (world) => changeClocks(world, way),
    }),
  ),
];

/** In the order in which they take turns. */
export const allFaults: readonly Fault[] = [...embedded, ...ofSmallDisk, ...ofWire, ...ofClock];
