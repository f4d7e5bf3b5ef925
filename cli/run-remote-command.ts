import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../src/hosting/startup/config.ts';
import type { Command } from './command.ts';
import { completionCommands } from './completion-command.ts';
import { performCommand } from './perform-command.ts';
import { remoteCommands } from './remote-commands.ts';

/* The program of the published package: the commands of integrators without the service. */

const { env, stdout, stderr } = process;
const manifest = new URL('./package.json', import.meta.url);
const commands: Readonly<Record<string, Command>> = {
  ...remoteCommands,
  ...completionCommands(() => commands),
};

process.exitCode = await performCommand(process.argv.slice(2), {
  groups: [{ title: 'Commands', commands }],
  version: () => JSON.parse(readFileSync(manifest, 'utf8')).version as string,
  stdout,
  stderr,
  perform: async (_name, command, options) => {
    const config = {
      dataDir: resolve(env.DATA_DIR || 'data'),
      mirrored: {
        url: env.DISPENSARY_URL || undefined,
        consumerKey: env.DISPENSARY_CONSUMER_KEY ?? '',
        clientKey: env.DISPENSARY_CLIENT_KEY ?? '',
      },
    };
    const asJson = process.argv.includes('--json');
    return (
      command.runAlone?.(config as Config, options) ??
      command.runRemote!(config, options, { stdout, stderr, asJson })
    );
  },
});
