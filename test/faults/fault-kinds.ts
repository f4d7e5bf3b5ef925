import { closeSync, cpSync, lstatSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import { connectEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { type FaultyWorld, largestRelation, type Place, verifyAt } from './faulty-world.ts';

/** One kind of fault. `run` makes it and takes it back; a text: why it cannot be made here. */
export interface Fault {
  readonly name: string;
  readonly place: Place;
  readonly run: (world: FaultyWorld, random: SeededRandom) => Promise<string | null>;
}

const done = null;
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
      await delay(random.integer(2_000, 6_000));
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
      await delay(random.integer(2_000, 8_000));
      signalAll(pids, 'SIGCONT');
      return done;
    },
  },
  {
    name: 'exhausted-connections',
    place: 'embedded',
    run: async (world) => {
      const { ownerConnection } = connectEmbedded(world.deployment)!;
      const open: Client[] = [];
      for (let isFree = true; isFree && open.length < 400; ) {
        const client = new Client(ownerConnection);
        client.on('error', () => {});
        isFree = await client.connect().then(
          () => true,
          () => false,
        );
        if (isFree) open.push(client);
      }
      await delay(4_000);
      for (const client of open) await client.end().catch(() => {});
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
      const found = await verifyAt({ DATA_DIR: world.deployment.dataDir }, copy);
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
    run: async (world) => {
      world.clients.mode = 'slow';
      await delay(5_000);
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
      await delay(random.integer(3_000, 8_000));
      disk!.free();
      return done;
    },
  },
  {
    name: 'no-inodes',
    place: 'small disk',
    run: async ({ disk }) => {
      disk!.fillInodes();
      await delay(5_000);
      disk!.free();
      return done;
    },
  },
  {
    name: 'read-only-disk',
    place: 'small disk',
    run: async ({ disk }) => {
      const reason = disk!.makeReadOnly();
      if (reason !== null) return reason;
      await delay(4_000);
      disk!.makeWritable();
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

const needsClock = async () =>
  'the clock of a process cannot be moved here; years of trading move it (npm run simulate), both clock changes included';

/** In the order in which they take turns. */
export const allFaults: readonly Fault[] = [
  ...embedded,
  ...ofSmallDisk,
  ...ofWire,
  { name: 'clock-jump', place: 'embedded', run: needsClock },
  { name: 'clock-change', place: 'embedded', run: needsClock },
];
