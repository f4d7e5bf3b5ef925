import { usStates } from '../src/engines/jurisdictions/us-states.ts';
import { seededKeys, seededLicenses } from '../src/hosting/state-server/seed-world.ts';
import { type StateServer, startStateServer } from '../src/hosting/state-server/state-server.ts';
import { SwitchError } from '../src/hosting/state-server/state-switches.ts';
import { OneOf } from '../src/platform/http/schemas.ts';
import { type Command, optional, type Result } from './command.ts';
import type { Screen } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

const portByDefault = 8095;

/** Runs a stand-in for a state's traceability system. */
export const stateServerCommands: Readonly<Record<string, Command>> = {
  'state-server': {
    summary: "run a stand-in for a state's traceability system, for demos and trials (docs/STATE-SERVER.md)",
    options: {
      port: optional(`its port, by default ${portByDefault}`),
      host: optional('the address to listen on, by default 127.0.0.1: who reaches it controls it'),
      seed: optional('any text: the same seed makes the same shops and packages'),
      state: optional('two capital letters, by default CA', OneOf(usStates)),
      packages: optional('packages of each shop, by default 24'),
      at: optional('the moment at which its clock stands, such as 2026-03-06T18:00:00Z; by default it runs'),
      switches: optional('switches to turn, such as "lag=3; order=random"'),
    },
    runRemote: async (_config, options, { stderr, stop }) => {
      const server = await started(options);
      try {
        tell(stderr, server);
        await stopped(stop);
        return { lines: ['Stopped.'], data: { calls: server.calls.length } } satisfies Result;
      } finally {
        await server.close();
      }
    },
  },
};

async function started(options: Readonly<Record<string, string>>): Promise<StateServer> {
  const { seed, state, host, at } = options;
  if (at !== undefined && Number.isNaN(Date.parse(at))) {
    throw new UsageError('--at must be an instant, such as 2026-03-06T18:00:00Z');
  }
  try {
    return await startStateServer({
      ...(seed !== undefined && { seed }),
      ...(state !== undefined && { state }),
      ...(host !== undefined && { host }),
      ...(at !== undefined && { standsAt: at }),
      ...(options.packages !== undefined && { packages: countOf('packages', options.packages) }),
      sendsHooks: true,
      port: options.port === undefined ? portByDefault : countOf('port', options.port),
      switches: switchesOf(options.switches ?? ''),
    });
  } catch (error) {
    if (error instanceof SwitchError) throw new UsageError(`--switches: ${error.message}`);
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw isTaken ? new Error('Another program listens on this port: choose another with --port.') : error;
  }
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

function tell(screen: Screen, { url, world }: StateServer): void {
  const lines = [
    `The state's system is played at ${url}; stop with Ctrl+C.`,
    `Vendor key ${seededKeys.vendor}, user key ${seededKeys.user}`,
    `Licenses ${seededLicenses.slice(0, 2).join(' and ')}; clock ${new Date(world.nowMs()).toISOString()}`,
    `Switches, faults, the clock and the edits of people: ${url}/control`,
  ];
  screen.write(`${lines.join('\n')}\n`);
}

/** Resolves when the process is asked to stop. */
export function stopped(stop: AbortSignal | undefined): Promise<void> {
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
