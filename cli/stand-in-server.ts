import { PaymentSwitchError } from '../src/hosting/payment-servers/payment-switches.ts';
import { SwitchError } from '../src/hosting/state-server/state-switches.ts';
import type { Result } from './command.ts';
import { UsageError } from './usage-error.ts';

/** A stand-in for the system of another, as long as it runs. */
interface StandIn {
  readonly calls: readonly unknown[];
  close(): Promise<void>;
}

/** Runs a stand-in until the process is asked to stop. Fails with a UsageError for a switch that does not exist. */
export async function playUntilStopped<Server extends StandIn>(
  start: () => Promise<Server>,
  tell: (server: Server) => void,
  stop: AbortSignal | undefined,
): Promise<Result> {
  const server = await start().catch((error: unknown) => {
    throw explained(error as Error);
  });
  try {
    tell(server);
    await stopped(stop);
    return { lines: ['Stopped.'], data: { calls: server.calls.length } };
  } finally {
    await server.close();
  }
}

function explained(error: Error): Error {
  if (error instanceof SwitchError || error instanceof PaymentSwitchError) {
    return new UsageError(`--switches: ${error.message}`);
  }
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  return isTaken ? new Error('Another program listens on this port: choose another with --port.') : error;
}

/** A whole number of an option. */
export function countOf(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError(`--${option} must be a whole number up to 65535`);
  }
  return Number(text);
}

/** `lag=3; order=random`. A value may have commas and blanks. */
export function switchesOf(text: string): Record<string, string> {
  const parts = text.split(';').flatMap((part) => part.trim() || []);
  return Object.fromEntries(
    parts.map((part) => {
      const [name, ...value] = part.split('=');
      return [name!.trim(), value.join('=').trim()];
    }),
  );
}

/** Resolves when the process is asked to stop. */
function stopped(stop: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    };
    process.once('SIGINT', end).once('SIGTERM', end);
    if (stop?.aborted) end();
    stop?.addEventListener('abort', end);
  });
}
