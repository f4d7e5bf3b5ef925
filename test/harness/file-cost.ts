import { afterAll } from 'vitest';
import { secondsOfEnded, secondsOfTree } from './processor-time.ts';

/*
 * Before each test file: notes what the file costs this worker and the processes that it starts. The database of the run
 * belongs to no file.
 */

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file, in seconds. */
    processorSeconds?: number;
    /** The part of it that the system has forgotten since. */
    forgottenSeconds?: number;
  }
}

const before = secondsOfTree(process.pid);
const endedBefore = secondsOfEnded();

// The first hook of a file runs last.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures here, and there is none
afterAll(({}, file) => {
  const after = secondsOfTree(process.pid);
  if (before === undefined || after === undefined) return;
  const forgotten = secondsOfEnded() - endedBefore;
  file.meta.processorSeconds = after - before + forgotten;
  file.meta.forgottenSeconds = forgotten;
});
