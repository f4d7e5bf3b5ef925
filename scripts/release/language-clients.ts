import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toOpenApi30 } from '../../src/platform/http/openapi-three-zero.ts';

const run = promisify(execFile);
const quiet = { maxBuffer: 64_000_000 };

/** The last version that has its program in the package; later ones fetch it from elsewhere. It reads OpenAPI 3.0, and needs Java. */
export const clientGenerator = { name: '@openapitools/openapi-generator-cli', version: '1.0.18-5.0.0-beta2' };

/** The languages besides TypeScript whose clients a release has, with what the generator is told. */
export const clientLanguages = {
  python: ['--package-name', 'dispensary'],
  php: ['--invoker-package', 'Dispensary'],
} as const;

export type ClientLanguage = keyof typeof clientLanguages;

/** Makes a client of a description in OpenAPI 3.0 in `to`; `tools` is a folder in which the generator is installed. */
export async function makeClient(
  language: ClientLanguage,
  tools: string,
  description: string,
  to: string,
): Promise<void> {
  const jar = join(tools, 'node_modules', ...clientGenerator.name.split('/'), 'bin', 'openapi-generator.jar');
  const target = ['-g', language, '-o', to, ...clientLanguages[language]];
  await run('java', ['-jar', jar, 'generate', '-i', description, ...target], quiet);
}

/**
 * Makes the clients for Python and PHP of this contract in `to/python` and `to/php`, with the programs that show how to buy something. Needs
 * Java, and the network when it runs for the first time.
 */
export async function makeClients(root: string, to: string): Promise<void> {
  const tools = await installGenerator(root);
  mkdirSync(to, { recursive: true });
  const contract = JSON.parse(readFileSync(join(root, 'contract', 'v1.json'), 'utf8'));
  const description = join(to, 'openapi-3.0.json');
  writeFileSync(description, JSON.stringify(toOpenApi30(contract)));
  for (const language of Object.keys(clientLanguages) as ClientLanguage[]) {
    const folder = join(to, language);
    await makeClient(language, tools, description, folder);
    // Says when it ran, which differs between two releases of one commit.
    rmSync(join(folder, '.openapi-generator'), { recursive: true, force: true });
    for (const file of ['README.md', 'git_push.sh', '.travis.yml'])
      rmSync(join(folder, file), { force: true });
  }
}

async function installGenerator(root: string): Promise<string> {
  const { name, version } = clientGenerator;
  const manifest = JSON.stringify({ private: true, dependencies: { [name]: version } });
  const cache = join(root, 'node_modules', '.cache');
  const digest = createHash('sha256').update(manifest).digest('hex').slice(0, 12);
  const folder = join(cache, `client-generator-${digest}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'client-generator-unfinished-'));
  writeFileSync(join(unfinished, 'package.json'), manifest);
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: unfinished,
  });
  renameSync(unfinished, folder);
  return folder;
}
