import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const spareBytes = 250_000_000;
const spareFiles = 3_000;

export interface SmallDisk {
  /** Takes all blocks that are left, until `free`. */
  fill(): void;
  /** Takes all inodes that are left, until `free`. */
  fillInodes(): void;
  free(): void;
  /** Resolves to why it is not read-only now; null: it is. No process may have a file open for writing for long. */
  makeReadOnly(): Promise<string | null>;
  makeWritable(): void;
  remove(): void;
}

/** Moves a data folder to a small disk in memory, at the same path. A text: why this machine cannot. */
export function moveToSmallDisk(dataDir: string): SmallDisk | string {
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root';
  const former = `${dataDir} before`;
  renameSync(dataDir, former);
  mkdirSync(dataDir, { mode: 0o700 });
  const used = Number(execFileSync('du', ['-s', '--block-size=1', former]).toString().split('\t')[0]);
  const files = Number(execFileSync('sh', ['-c', 'find "$0" | wc -l', former]).toString());
  const limits = `size=${used + spareBytes},nr_inodes=${files + spareFiles},mode=700`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', limits, 'tmpfs', dataDir], { stdio: 'pipe' });
  } catch (error) {
    rmSync(dataDir, { recursive: true });
    renameSync(former, dataDir);
    return `this machine mounts nothing: ${(error as Error).message.split('\n').at(-1)}`;
  }
  execFileSync('cp', ['-a', `${former}/.`, dataDir]);
  rmSync(former, { recursive: true });
  return diskAt(dataDir);
}

function diskAt(dataDir: string): SmallDisk {
  const filler = join(dataDir, 'filler');
  const remount = (how: string) =>
    execFileSync('mount', ['-o', `remount,${how}`, dataDir], { stdio: 'pipe' });
  return {
    fill: () => {
      mkdirSync(filler, { recursive: true });
      const file = openSync(join(filler, 'blocks'), 'w');
      try {
        for (let size = 1_048_576; size >= 4_096; ) {
          try {
            if (writeSync(file, Buffer.alloc(size)) < size) size /= 2;
          } catch {
            size /= 2;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    fillInodes: () => {
      mkdirSync(filler, { recursive: true });
      const { ffree } = statfsSync(dataDir);
      try {
        for (let at = 0; at <= ffree; at += 1) writeFileSync(join(filler, String(at)), '');
      } catch {
        // None is left.
      }
    },
    free: () => rmSync(filler, { recursive: true, force: true }),
    makeReadOnly: async () => {
      const endMs = performance.now() + 10_000;
      for (;;) {
        try {
          remount('ro');
          return null;
        } catch (error) {
          if (performance.now() > endMs) return `the disk cannot be remounted: ${(error as Error).message}`;
          await delay(20);
        }
      }
    },
    makeWritable: () => remount('rw'),
    remove: () => execFileSync('umount', ['-l', dataDir], { stdio: 'pipe' }),
  };
}
