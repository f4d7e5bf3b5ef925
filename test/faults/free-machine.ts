import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Processes that want each core: with more, deadlines of three seconds pass because of other work. */
const crowd = 4;
const crowdMsMax = 1_800_000;

/** Resolves when other work leaves this machine to the rounds, or has not for half an hour. */
export async function machineIsFree(): Promise<void> {
  const endMs = performance.now() + crowdMsMax;
  while (loadavg()[0]! > crowd * availableParallelism() && performance.now() < endMs) await delay(2_000);
}
