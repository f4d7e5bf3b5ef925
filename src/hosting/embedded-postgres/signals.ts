import { constants } from 'node:os';

/** Signals that ask a program to end: Ctrl-C, a process manager, a closed terminal. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal that asks this process to end, runs `work` and ends it with 128 plus the signal's number, like shells.
 * `work` is synchronous, so that the rest of the program cannot fail on the removed resources. Returns the function
 * that removes the handlers.
 */
export function onEndingSignal(work: () => void): () => void {
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
