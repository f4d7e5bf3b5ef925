import { createHash } from 'node:crypto';

/** What the loop takes on the reference machine: 2 cores of an x86 server at about 2.5 GHz with nothing else to do. */
const referenceMs = 50;

/** Slower than this, a machine is too busy for its milliseconds to say anything about the console. */
export const paceMax = 2.5;

const loops = 5;

/**
 * How many times as long this machine takes for a fixed piece of work as the reference machine: the median of five loops, so other
 * work on the machine shows, and one interruption does not.
 */
export function machinePace(): number {
  const times = Array.from({ length: loops }, loopMs).toSorted((one, other) => one - other);
  return times[Math.floor(loops / 2)]! / referenceMs;
}

function loopMs(): number {
  const begun = performance.now();
  let text = 'pace';
  for (let count = 0; count < 20_000; count += 1) text = createHash('sha256').update(text).digest('hex');
  return performance.now() - begun;
}
