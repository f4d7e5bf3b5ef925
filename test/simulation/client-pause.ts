import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds. */
const pauseMs = 20;

/**
 * The pause of a client before its next request. Without it, clients that buy continuously take the processor from what the
 * test waits for. No test relies on its length.
 */
export function clientPause(): Promise<void> {
  return delay(pauseMs);
}
