import { parseArgs } from 'node:util';
import Type from 'typebox';
import { Failure } from '../src/kernel/failure.ts';
import { nearestName } from '../src/platform/http/expectation-words.ts';
import { requestValidator } from '../src/platform/http/request-validation.ts';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Parses the arguments of `dispensary`. Nothing is opened or created yet. */

type Commands = Readonly<Record<string, Command>>;

/** The words of the command line: the command's name, and the rest. */
interface Words {
  /** Empty: no command. */
  readonly name: string;
  /** The first word of several commands, if it is the only one: the caller wants to see these. */
  readonly group?: string;
  readonly rest: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsJson: boolean;
}

const helpWords = ['--help', '-h'];

/** Splits "client-key create --x" into the command "client-key create" and its options. Fails with a UsageError. */
export function readWords(args: readonly string[], commands: Commands): Words {
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const others = asked.filter((arg) => ![...helpWords, '--json'].includes(arg));
  const wants = {
    wantsHelp: asked.some((arg) => helpWords.includes(arg)),
    wantsJson: asked.includes('--json'),
  };
  const [first] = others;
  if (first === undefined) return { ...wants, name: '', rest: [] };
  if (first.startsWith('-')) throw new UsageError(`Put the command first, before ${first}.`);
  const end = others.findIndex((arg) => arg.startsWith('-'));
  const words = end < 0 ? others : others.slice(0, end);
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    if (Object.hasOwn(commands, name)) return { ...wants, name, rest: others.slice(count) };
  }
  if (groupOf(words, commands) !== undefined && (words.length === 1 || wants.wantsHelp)) {
    return { ...wants, name: '', group: words[0]!, rest: [] };
  }
  throw new UsageError(noSuchCommand(words, commands));
}

/** The word that several commands begin with, if these words do, too. */
export function groupOf(words: readonly string[], commands: Commands): string | undefined {
  const [first] = words;
  return Object.keys(commands).some((name) => name.startsWith(`${first} `)) ? first : undefined;
}

function noSuchCommand(words: readonly string[], commands: Commands): string {
  // No command has more words; the rest may be anything.
  const written = words.slice(0, 2).join(' ');
  if (groupOf(words, commands) !== undefined) return `There is no command ${written}.`;
  const nearest = nearestName(written, Object.keys(commands));
  return `There is no command ${written}${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`;
}

/** The checked values of a command's options. Fails with a UsageError. */
export function readOptions(
  { name, rest }: Pick<Words, 'name' | 'rest'>,
  command: Command,
): Record<string, string> {
  const known = Object.keys(command.options);
  const { values, positionals } = parsed(name, rest, command);
  const [argument, ...others] = command.argument === undefined ? [undefined, ...positionals] : positionals;
  if (others.length > 0) {
    throw new UsageError(
      command.argument === undefined
        ? `${others[0]} is unexpected: ${name} takes only options`
        : `${others[0]} is unexpected: ${name} takes one ${command.argument}`,
    );
  }
  const missing = known
    .filter((option) => {
      const { required, mayBeEmpty } = command.options[option]!;
      return required && (mayBeEmpty ? values[option] === undefined : !values[option]);
    })
    .map((option) => `--${option}`);
  if (command.argument !== undefined && !command.argumentIsOptional && argument === undefined)
    missing.unshift(command.argument);
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
  const options = Object.fromEntries(
    Object.entries(values).flatMap(([option, value]) =>
      value === undefined ? [] : [[option, String(value)]],
    ),
  );
  checkValues(command, options);
  return argument === undefined ? options : { ...options, argument };
}

function parsed(name: string, rest: readonly string[], { options }: Command) {
  try {
    return parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([option, { isFlag }]) => [
          option,
          { type: isFlag ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, unknown] =
      (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /^Unknown option '(-[^']*)'/.exec(message)) || [];
    if (unknown === undefined) throw new UsageError(message);
    const nearest = nearestName(unknown.replace(/^-+/, ''), Object.keys(options));
    throw new UsageError(
      `${unknown} is not an option of ${name}${nearest === undefined ? '' : `; the nearest is --${nearest}`}`,
    );
  }
}

/** Uses the schemas of the staff API for the same fields, so the limits are the same. */
function checkValues(command: Command, values: Readonly<Record<string, string>>): void {
  const fields = Object.entries(command.options).flatMap(([option, { schema }]) =>
    schema === undefined ? [] : [[option, Type.Optional(schema)] as const],
  );
  const check = requestValidator({ query: Type.Object(Object.fromEntries(fields)), resourceParams: {} });
  try {
    check({}, values, undefined, false);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new UsageError(`--${error.message.replace(/\.$/, '')}`);
  }
}

/** Commands that belong together, under a heading of the help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: Commands;
}

/** All commands by their groups, or those that begin with the word `first`, one line each. */
export function overview(groups: readonly CommandGroup[], first?: string): string {
  const width = 26;
  const parts = groups.flatMap(({ title, commands }) => {
    const lines = Object.entries(commands)
      .filter(([name]) => first === undefined || name.startsWith(`${first} `))
      .map(([name, { summary }]) => `  ${name.padEnd(width)}${shortened(summary)}`);
    if (lines.length === 0) return [];
    return first === undefined ? [`${title}:`, ...lines, ''] : [...lines, ''];
  });
  const word = first === undefined ? '' : `${first} `;
  return [
    `Usage: dispensary ${word}<command> [options] [--json]`,
    '',
    ...parts,
    `Options of a command: dispensary ${word}<command> --help`,
    ...(first === undefined ? ['Version: dispensary --version'] : []),
  ].join('\n');
}

/** What the list says of a command: the help of the command has the rest. */
function shortened(summary: string): string {
  return summary.split(/; | \(/)[0]!;
}

/** The commands as data, for `--help --json`. */
export function describedCommands(groups: readonly CommandGroup[], first?: string): object {
  return groups.flatMap(({ title, commands }) =>
    Object.entries(commands)
      .filter(([name]) => first === undefined || name === first || name.startsWith(`${first} `))
      .map(([name, { summary, argument, options }]) => ({
        ...{ name, group: title, summary, argument: argument ?? null },
        options: Object.entries(options).map(([option, { required, isFlag, text }]) => ({
          ...{ name: `--${option}`, required, takesValue: isFlag !== true, text },
        })),
      })),
  );
}

/** The help of one command. */
export function usageOf(name: string, { summary, argument, argumentIsOptional, options }: Command): string {
  const lines = Object.entries(options).map(
    ([option, { required, text }]) => `  --${option.padEnd(16)}${text}${required ? '' : ' (optional)'}`,
  );
  return [
    `dispensary ${name}${argument === undefined ? '' : ` ${argumentIsOptional ? `[${argument}]` : argument}`}: ${summary}`,
    ...lines,
    '  --json            the result as JSON',
  ].join('\n');
}
