import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { readProject } from '../tidy/project-files.ts';
import { planOf } from './all-recipes.ts';
import { applyPlan, projectIn, type Recipe } from './recipe.ts';

/** A copy of the project in a temporary folder, in which a test follows recipes. */
export interface ScratchProject {
  readonly root: string;
  /** Runs a check; resolves to its exit code and what it printed. */
  run(program: keyof typeof programs, ...args: readonly string[]): Promise<Outcome>;
  /** Writes the types that the SDK and the console use, from the generated contract. */
  writeSdkTypes(): Promise<Outcome>;
  remove(): void;
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

const programs = {
  tsx: ['tsx', 'dist/cli.mjs'],
  tsc: ['typescript', 'bin/tsc'],
  biome: ['@biomejs/biome', 'bin/biome'],
  vitest: ['vitest', 'vitest.mjs'],
  redocly: ['@redocly/cli', 'bin/cli.js'],
} as const;

/** Copies the files of the project; the installed packages are links. */
export function copyProject(): ScratchProject {
  const from = projectFolder();
  const root = mkdtempSync(join(tmpdir(), 'dispensary-recipe-'));
  for (const { path } of readProject(from)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(from, path), join(root, path));
  }
  for (const folder of ['', 'sdk', 'console', 'cli']) linkPackages(from, root, folder);
  return {
    root,
    run: (program, ...args) => runProgram(root, [fileOf(root, program), ...args]),
    writeSdkTypes: () =>
      runProgram(root, ['-e', "import('./scripts/prepare.mjs').then((it) => it.ensureSdkTypes())"]),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function fileOf(root: string, program: keyof typeof programs): string {
  const [folder, file] = programs[program];
  return join(root, 'node_modules', folder, file);
}

/** Links each package; the workspaces are those of the copy. */
function linkPackages(from: string, root: string, folder: string): void {
  const source = join(from, folder, 'node_modules');
  const target = join(root, folder, 'node_modules');
  let names: string[];
  try {
    names = readdirSync(source);
  } catch {
    return;
  }
  mkdirSync(target, { recursive: true });
  for (const name of names) {
    if (name.startsWith('.') && name !== '.bin') continue;
    if (name !== '@dispensary-commerce') {
      symlinkSync(join(source, name), join(target, name));
      continue;
    }
    mkdirSync(join(target, name));
    for (const workspace of readdirSync(join(source, name))) {
      symlinkSync(join(root, workspace), join(target, name, workspace));
    }
  }
}

function runProgram(root: string, args: readonly string[]): Promise<Outcome> {
  // The process knows nothing of the test around it.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST|NODE_ENV|TINYPOOL)/.test(name),
  );
  const env = Object.fromEntries(inherited);
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Follows a recipe in the copy with the name of its example. Returns the paths of the code that it writes. */
export function followIn(scratch: ScratchProject, recipe: Recipe): string[] {
  const project = projectIn(scratch.root);
  const { made, changed } = applyPlan(project, planOf(recipe, recipe.example, project));
  return [...made, ...changed].filter((path) => /\.tsx?$/.test(path));
}

/** What a run of tests in the copy says of a file. */
export interface FileReport {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

/** Runs tests in the copy, as `npm test` does. Fails when none ran. */
export async function reportOf(
  scratch: ScratchProject,
  args: readonly string[],
): Promise<readonly FileReport[]> {
  const path = join(scratch.root, 'outcomes.json');
  // A machine that runs the whole long suite is slow.
  const patience = ['--testTimeout=180000', '--hookTimeout=180000'];
  const report = ['--reporter=json', `--outputFile=${path}`];
  const { output } = await scratch.run('vitest', 'run', ...args, ...patience, ...report);
  try {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as { testResults: FileReport[] };
    // The report does not say which hook failed; the output does.
    return testResults.map((it) => ({ ...it, message: it.message || output.slice(-3_000) }));
  } catch {
    throw new Error(`The tests did not run:\n${output.slice(-6_000)}`);
  } finally {
    rmSync(path, { force: true });
  }
}
