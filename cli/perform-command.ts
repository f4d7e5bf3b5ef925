import { exitMessage } from '../src/kernel/file-failure.ts';
import type { Command, Result } from './command.ts';
import {
  type CommandGroup,
  describedCommands,
  groupOf,
  overview,
  readOptions,
  readWords,
  usageOf,
} from './command-line.ts';
import type { Screen } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';

/** What runs the commands of a program. */
interface Program {
  readonly groups: readonly CommandGroup[];
  readonly version: () => string;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Runs a command whose options are read. */
  perform(name: string, command: Command, options: Readonly<Record<string, string>>): Promise<Result>;
  /** Whether an error is one of the caller's words or files, besides `UsageError`. */
  isUsage?(error: unknown): boolean;
}

/**
 * Reads the arguments, runs the command, and prints its result: text, or with `--json` one JSON value, also for help and for a failure
 * (`{"error": …}` on stderr). Returns the exit code: 0, 1 after a failure, 2 after a usage error, or that of the command.
 */
export async function performCommand(args: readonly string[], program: Program): Promise<number> {
  const { groups, stdout, stderr } = program;
  const commands: Readonly<Record<string, Command>> = Object.assign({}, ...groups.map((it) => it.commands));
  const asJson = args.includes('--json');
  /** The usage hint after a usage error. */
  let usage = overview(groups, groupOf(args, commands));
  try {
    if (args[0] === '--version') {
      const version = program.version();
      return shown({ lines: [version], data: { version } }, asJson, stdout);
    }
    const words = readWords(args, commands);
    const command = commands[words.name];
    if (command !== undefined) usage = usageOf(words.name, command);
    else if (words.group !== undefined) usage = overview(groups, words.group);
    if (command === undefined || words.wantsHelp) {
      const named = command === undefined ? words.group : words.name;
      return shown({ lines: [usage], data: describedCommands(groups, named) }, asJson, stdout);
    }
    const result = await program.perform(words.name, command, readOptions(words, command));
    return shown(result, asJson, stdout);
  } catch (error) {
    const isUsage = error instanceof UsageError || program.isUsage?.(error) === true;
    const message = exitMessage(error);
    if (asJson) stderr.write(`${JSON.stringify({ error: { message, isUsage } })}\n`);
    else stderr.write(isUsage ? `${message}\n\n${usage}\n` : `${message}\n`);
    return isUsage ? 2 : 1;
  }
}

/** Prints a result. Returns the exit code. */
function shown({ lines, data, exitCode = 0 }: Result, asJson: boolean, stdout: Screen): number {
  const text = asJson ? JSON.stringify(data) : lines.join('\n');
  // A command that speaks on stdout by itself has nothing more to say.
  if (asJson || lines.length > 0) stdout.write(`${text}\n`);
  return exitCode;
}
