import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/**
 * The processor time of a process and of all processes below it, ended ones included, in seconds. Undefined on systems that
 * do not tell it.
 */
export function secondsOfTree(root: number): number | undefined {
  const ticks = ticksOfTree(root);
  return ticks === undefined ? undefined : ticks / ticksPerSecond;
}

/** Walks down from the root: reading every process of the machine, twice for each test file, took a hundredth of a run. */
function ticksOfTree(id: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The program's name, in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Its own, and those of its ended children.
    const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return childrenOf(id).reduce((sum, child) => sum + (ticksOfTree(child) ?? 0), own);
  } catch {
    // It has ended meanwhile, or this is no Linux.
    return undefined;
  }
}

/** Each thread of a process lists the processes that it has started. */
function childrenOf(id: number): number[] {
  return readdirSync(`/proc/${id}/task`).flatMap((thread) => {
    try {
      const list = readFileSync(`/proc/${id}/task/${thread}/children`, 'latin1');
      return list.split(' ').filter(Boolean).map(Number);
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

let uncountedSeconds = 0;

/**
 * Ends processes below this one that do not wait for those they have started, such as a browser: what those used is counted
 * here, because Linux forgets it.
 */
export async function countingEnd(end: () => Promise<void>): Promise<void> {
  const before = secondsOfTree(process.pid);
  await end();
  const after = secondsOfTree(process.pid);
  if (before !== undefined && after !== undefined) uncountedSeconds += Math.max(0, before - after);
}

/** The seconds that `secondsOfTree` no longer contains, of all ends in this process. */
export function secondsOfEnded(): number {
  return uncountedSeconds;
}
