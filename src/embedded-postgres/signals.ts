import { constants } from 'node:os';

/** What asks a program to end: Ctrl-C, whoever manages the process, a terminal that is closed. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has a signal that asks this process to end do `work` first, and end it then with 128 and the signal's number, as shells
 * count. The work is done in one piece: what the program is about must not go on, and fail, on what the work takes away.
 * Returns the function that leaves signals alone again.
 */
export function beforeSignalsEnd(work: () => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    try {
      work();
    } finally {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of endingSignals) process.on(signal, end);
  return () => {
    for (const signal of endingSignals) process.off(signal, end);
  };
}
