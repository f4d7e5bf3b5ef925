import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly id: number;
  readonly parent: number;
  /** Its own, and that of its ended children. */
  readonly ticks: number;
}

/**
 * The processor time of a process and of all processes below it, ended ones included, in seconds. Undefined on systems that
 * do not tell it.
 */
export function secondsOfTree(root: number): number | undefined {
  const children = new Map<number, ProcessTimes[]>();
  let top: ProcessTimes | undefined;
  for (const name of namesOfProcesses()) {
    const times = timesOf(name);
    if (times === undefined) continue;
    if (times.id === root) top = times;
    const siblings = children.get(times.parent) ?? [];
    siblings.push(times);
    children.set(times.parent, siblings);
  }
  if (top === undefined) return undefined;
  const ticksBelow = ({ id, ticks }: ProcessTimes): number =>
    (children.get(id) ?? []).reduce((sum, child) => sum + ticksBelow(child), ticks);
  return ticksBelow(top) / ticksPerSecond;
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

function namesOfProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function timesOf(name: string): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The program's name, in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { id: Number(name), parent: Number(fields[1]), ticks };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
