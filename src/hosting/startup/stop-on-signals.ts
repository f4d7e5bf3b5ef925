import { setTimeout as delay } from 'node:timers/promises';
import { outputWritten } from '../../platform/http/log-output.ts';
import type { Config } from './config.ts';

/** So long the last lines may take to be read. */
const lastLinesMs = 500;

/**
 * Stops the process at the first signal. After SIGTERM it serves on for DRAIN_SECONDS and tells balancers to go elsewhere; a
 * second signal ends that time. SIGINT and SIGHUP come from a terminal, where nothing balances: they stop it at once. Exits with
 * 1 when requests do not end in SHUTDOWN_TIMEOUT_SECONDS. A reader of the standard output who stands still delays none of it.
 */
export function stopOnSignals(
  { drainMs, shutdownTimeoutMs }: Pick<Config, 'drainMs' | 'shutdownTimeoutMs'>,
  serving: { announceEnd(): void },
  tell: (message: string) => void,
  stop: () => Promise<void>,
): void {
  const draining = new AbortController();
  let isStopping = false;
  const stopOnce = async (signal: string): Promise<void> => {
    if (isStopping) {
      draining.abort();
      return;
    }
    isStopping = true;
    serving.announceEnd();
    if (signal === 'SIGTERM' && drainMs > 0) {
      tell(`${signal}: serving on for ${drainMs / 1_000} s …`);
      await delay(drainMs, null, { signal: draining.signal }).catch(() => {});
    }
    tell(`${signal}: finishing running requests …`);
    const deadline = setTimeout(() => {
      tell('Some requests did not end in time.');
      process.exit(1);
    }, shutdownTimeoutMs);
    await stop();
    clearTimeout(deadline);
    tell('Stopped.');
    await outputWritten(lastLinesMs);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stopOnce(signal));
}
