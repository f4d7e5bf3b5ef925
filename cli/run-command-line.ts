import { loadConfig } from '../src/hosting/startup/config.ts';
import { type Machine, settingsOfService } from '../src/hosting/startup/service-settings.ts';
import { programVersion } from '../src/kernel/project-folder.ts';
import { UnreadableFile } from '../src/shop/imports/imports.ts';
import { beginCommand, type Command, type Result } from './command.ts';
import { commandGroups } from './commands.ts';
import { openDeployment } from './deployment.ts';
import { performCommand } from './perform-command.ts';
import type { Screen } from './progress-bar.ts';

/** What a process gives a command. */
interface CommandProcess {
  readonly env: NodeJS.ProcessEnv;
  /** The working folder. */
  readonly folder: string;
  /** Results, as text lines or as one JSON value. */
  readonly stdout: Screen;
  /** Everything else. */
  readonly stderr: Screen;
  /** Ends a command that runs until it is stopped; by default the signals of the process do. */
  readonly stop?: AbortSignal;
  /** Where the machine keeps its units and processes; by default this machine's places. */
  readonly machine?: Machine;
}

/** Runs a command by its arguments. Returns the exit code: 0, 1 after a failure, 2 after a usage error. */
export function runCommandLine(args: readonly string[], caller: CommandProcess): Promise<number> {
  const { stdout, stderr } = caller;
  return performCommand(args, {
    ...{ groups: commandGroups, version: programVersion, stdout, stderr },
    perform: (name, command, options) => {
      beginCommand(name);
      return run(command, options, { ...caller, asJson: args.includes('--json') });
    },
    isUsage: (error) => error instanceof UnreadableFile,
  });
}

async function run(
  command: Command,
  options: Readonly<Record<string, string>>,
  caller: CommandProcess & { readonly asJson: boolean },
): Promise<Result> {
  const { env, folder, stderr } = caller;
  const needsService = command.run !== undefined || (command.runOnItsOwn !== undefined && !options.url);
  const settings = needsService ? settingsOfService(env, folder, caller.machine) : { env, folder };
  if (settings.source !== undefined) stderr.write(`Settings of ${settings.source}\n`);
  // A command that opens no document asks no key service.
  const config = loadConfig(settings.env, settings.folder, { asksForKeys: 'late' });
  command.check?.(config);
  const alone = command.runAlone?.(config, options) ?? null;
  if (alone !== null) return alone;
  if (command.runRemote !== undefined) return command.runRemote(config, options, caller);
  if (command.runOnItsOwn !== undefined) return command.runOnItsOwn(config, options, caller);
  const deployment = await openDeployment(config, stderr, command);
  try {
    return await command.run!(deployment, options);
  } finally {
    await deployment.close();
  }
}
