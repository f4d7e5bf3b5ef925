import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { systemClock } from '../../kernel/clock.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';

/*
 * The log goes to the standard output without waiting for its reader: a terminal that is stopped, a collector that hangs. A process that
 * waited there would serve no one, and would not even hear that it is to end.
 */

/** Beyond this, lines are dropped until the reader goes on. */
const waitingBytesMax = 4_194_304;

type Output = Pick<Writable, 'write' | 'writableLength' | 'on'>;

/** A destination of the log that never waits. When its reader goes on, a line says how many were dropped. */
export function logOutput(output: Output = process.stdout): DestinationStream {
  let dropped = 0;
  // A reader that has gone away ends the log, not the service.
  output.on('error', () => {});
  return {
    write: (line) => {
      if (output.writableLength > waitingBytesMax) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const msg = `${dropped} lines of the log were dropped: the reader of the standard output stood still`;
        output.write(`${JSON.stringify({ level: 'warn', time: isoTimestamp(systemClock.now()), msg })}\n`);
        dropped = 0;
      }
      output.write(line);
    },
  };
}

/** Resolves when what was said is written, or after that time: a reader who stands still does not delay the end. */
export function outputWritten(msMax: number, output: Output = process.stdout): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, msMax).unref();
    output.write('', () => resolve());
  });
}
