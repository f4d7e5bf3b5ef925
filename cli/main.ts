import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { Failure } from '../src/kernel/failure.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { openDeployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

const [words, rest] = splitWords(process.argv.slice(2));
const { name, argument } = findCommand(words);
const json = rest.includes('--json');

/** Results go to standard output, as lines for people or as one JSON value; everything else to standard error. */
async function run(): Promise<number> {
  const command = commands[name];
  if (command === undefined || rest.includes('--help')) {
    console.error(command === undefined ? overview() : usageOf(name, command));
    return rest.includes('--help') || name === '' || name === 'help' ? 0 : 2;
  }
  const options = readOptions(command);
  const config = loadConfig(process.env, process.cwd());
  mkdirSync(config.dataDir, { recursive: true });
  const deployment = await openDeployment(config, (message) => console.error(message));
  try {
    const result = await command.run(deployment, options);
    console.log(json ? JSON.stringify(result.data) : result.lines.join('\n'));
    return result.exitCode ?? 0;
  } finally {
    await deployment.close();
  }
}

/** "client-key create --x" is the command "client-key create" and its options. */
function splitWords(args: readonly string[]): [string[], string[]] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return end < 0 ? [[...args], []] : [args.slice(0, end), args.slice(end)];
}

/** The words that are a command, and the one behind them that it takes. */
function findCommand(all: readonly string[]): { name: string; argument: string | undefined } {
  const shorter = all.slice(0, -1).join(' ');
  return commands[shorter]?.argument === undefined
    ? { name: all.join(' '), argument: undefined }
    : { name: shorter, argument: all.at(-1) };
}

function readOptions(command: Command): Record<string, string> {
  const known = Object.keys(command.options);
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args: rest,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          known.map((option) => [
            option,
            { type: command.options[option]!.isFlag ? ('boolean' as const) : ('string' as const) },
          ]),
        ),
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const missing = known
    .filter((option) => command.options[option]!.required && !values[option])
    .map((option) => `--${option}`);
  if (command.argument !== undefined && argument === undefined) missing.unshift(command.argument);
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
  return Object.fromEntries(
    Object.entries({ ...values, argument })
      .filter(([option, value]) => option !== 'json' && value !== undefined)
      .map(([option, value]) => [option, String(value)]),
  );
}

function overview(): string {
  const lines = Object.entries(commands).map(([words, { summary }]) => `  ${words.padEnd(24)}${summary}`);
  return `Usage: dispensary <command> [options] [--json]\n\n${lines.join('\n')}\n\nOptions of a command: dispensary <command> --help`;
}

function usageOf(words: string, command: Command): string {
  const lines = Object.entries(command.options).map(
    ([option, { required, text }]) => `  --${option.padEnd(16)}${text}${required ? '' : ' (optional)'}`,
  );
  const behind = command.argument === undefined ? '' : ` ${command.argument}`;
  return [
    `dispensary ${words}${behind}: ${command.summary}`,
    ...lines,
    '  --json            the result as JSON',
  ].join('\n');
}

try {
  process.exitCode = await run();
} catch (error) {
  const expected = error instanceof Failure || error instanceof UsageError;
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError && commands[name]) console.error(usageOf(name, commands[name]));
  process.exitCode = expected && error instanceof UsageError ? 2 : 1;
}
