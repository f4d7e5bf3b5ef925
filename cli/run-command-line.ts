import { loadConfig } from '../src/hosting/startup/config.ts';
import { type Machine, settingsOfService } from '../src/hosting/startup/service-settings.ts';
import { exitMessage } from '../src/kernel/file-failure.ts';
import { programVersion } from '../src/kernel/project-folder.ts';
import { UnreadableFile } from '../src/shop/imports/imports.ts';
import { beginCommand, type Result } from './command.ts';
import { groupOf, overview, readOptions, readWords, usageOf } from './command-line.ts';
import { commands } from './commands.ts';
import { openDeployment } from './deployment.ts';
import type { Screen } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

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
export async function runCommandLine(args: readonly string[], caller: CommandProcess): Promise<number> {
  const { env, folder, stdout, stderr } = caller;
  /** The usage hint after a usage error. */
  let usage = overview(commands, groupOf(args, commands));
  try {
    if (args[0] === '--version') {
      const version = programVersion();
      return shown({ lines: [version], data: { version } }, args.includes('--json'), stdout);
    }
    const words = readWords(args, commands);
    const command = commands[words.name];
    if (command !== undefined) usage = usageOf(words.name, command);
    else if (words.group !== undefined) usage = overview(commands, words.group);
    if (command === undefined || words.wantsHelp) {
      stdout.write(`${usage}\n`);
      return 0;
    }
    const options = readOptions(words, command);
    beginCommand(words.name);
    const needsService = command.run !== undefined || (command.runOnItsOwn !== undefined && !options.url);
    const settings = needsService ? settingsOfService(env, folder, caller.machine) : { env, folder };
    if (settings.source !== undefined) stderr.write(`Settings of ${settings.source}\n`);
    // A command that opens no document asks no key service.
    const config = loadConfig(settings.env, settings.folder, { asksForKeys: 'late' });
    command.check?.(config);
    const alone = command.runAlone?.(config, options) ?? null;
    if (alone !== null) return shown(alone, words.wantsJson, stdout);
    if (command.runRemote !== undefined) {
      return shown(await command.runRemote(config, options, caller), words.wantsJson, stdout);
    }
    if (command.runOnItsOwn !== undefined) {
      return shown(await command.runOnItsOwn(config, options, caller), words.wantsJson, stdout);
    }
    const deployment = await openDeployment(config, stderr, command);
    try {
      return shown(await command.run!(deployment, options), words.wantsJson, stdout);
    } finally {
      await deployment.close();
    }
  } catch (error) {
    stderr.write(`${exitMessage(error)}\n`);
    if (!(error instanceof UsageError || error instanceof UnreadableFile)) return 1;
    stderr.write(`\n${usage}\n`);
    return 2;
  }
}

/** Prints a result. Returns the exit code. */
function shown({ lines, data, exitCode = 0 }: Result, asJson: boolean, stdout: Screen): number {
  stdout.write(`${asJson ? JSON.stringify(data) : lines.join('\n')}\n`);
  return exitCode;
}
