import { afterAll } from 'vitest';
import { secondsOfTree } from './processor-time.ts';

/*
 * Before each test file: notes what the file costs this worker and the processes that it starts. The database of the run
 * belongs to no file.
 */

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file, in seconds. */
    processorSeconds?: number;
  }
}

const before = secondsOfTree(process.pid);

// The first hook of a file runs last.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures here, and there is none
afterAll(({}, file) => {
  const after = secondsOfTree(process.pid);
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before;
});
