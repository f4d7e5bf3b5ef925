import { exitMessage } from '../src/kernel/file-failure.ts';
import { loadConfig } from '../src/startup/config.ts';
import type { Result } from './command.ts';
import { overview, readOptions, readWords, usageOf } from './command-line.ts';
import { commands } from './commands.ts';
import { openDeployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** The usage hint after a usage error. */
let usage = overview(commands);

/** Results go to standard output, as text lines or as one JSON value; everything else to standard error. */
async function run(): Promise<number> {
  const words = readWords(process.argv.slice(2), commands);
  const command = commands[words.name];
  if (command !== undefined) usage = usageOf(words.name, command);
  if (command === undefined || words.wantsHelp) {
    console.log(usage);
    return 0;
  }
  const options = readOptions(words, command);
  const config = loadConfig(process.env, process.cwd());
  command.check?.(config);
  const alone = command.runAlone?.(config, options) ?? null;
  if (alone !== null) return shown(alone, words.wantsJson);
  if (command.runRemote !== undefined)
    return shown(await command.runRemote(config, options), words.wantsJson);
  const deployment = await openDeployment(config, (message) => console.error(message), command);
  try {
    return shown(await command.run(deployment, options), words.wantsJson);
  } finally {
    await deployment.close();
  }
}

/** Prints a result. Returns the exit code. */
function shown({ lines, data, exitCode = 0 }: Result, asJson: boolean): number {
  console.log(asJson ? JSON.stringify(data) : lines.join('\n'));
  return exitCode;
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(exitMessage(error));
  if (error instanceof UsageError) console.error(`\n${usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
