import { runCommandLine } from './run-command-line.ts';

const { env, stdout, stderr } = process;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env,
  stdout,
  stderr,
  folder: process.cwd(),
});
