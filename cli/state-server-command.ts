import { usStates } from '../src/engines/jurisdictions/us-states.ts';
import { seededKeys, seededLicenses } from '../src/hosting/state-server/seed-world.ts';
import { type StateServer, startStateServer } from '../src/hosting/state-server/state-server.ts';
import { OneOf } from '../src/platform/http/schemas.ts';
import { type Command, optional } from './command.ts';
import type { Screen } from './progress-bar.ts';
import { countOf, playUntilStopped, switchesOf } from './stand-in-server.ts';
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
    runRemote: (_config, options, { stderr, stop }) =>
      playUntilStopped(
        () => started(options),
        (server) => tell(stderr, server),
        stop,
      ),
  },
};

async function started(options: Readonly<Record<string, string>>): Promise<StateServer> {
  const { seed, state, host, at } = options;
  if (at !== undefined && Number.isNaN(Date.parse(at))) {
    throw new UsageError('--at must be an instant, such as 2026-03-06T18:00:00Z');
  }
  return startStateServer({
    ...(seed !== undefined && { seed }),
    ...(state !== undefined && { state }),
    ...(host !== undefined && { host }),
    ...(at !== undefined && { standsAt: at }),
    ...(options.packages !== undefined && { packages: countOf('packages', options.packages) }),
    sendsHooks: true,
    port: options.port === undefined ? portByDefault : countOf('port', options.port),
    switches: switchesOf(options.switches ?? ''),
  });
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
