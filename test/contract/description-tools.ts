import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type ClientLanguage, clientGenerator, makeClient } from '../../scripts/release/language-clients.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';

/*
 * What integrators do with the description of the interface: generate a client, mock the service, lint. The tools come from
 * npm when they are first needed, into a cache: `npm install` would take five times as long with them.
 */

const run = promisify(execFile);

/** Exact versions: the last ones that run on the oldest Node that the service runs on. All have permissive licenses. */
const tools = {
  '@hey-api/openapi-ts': '0.90.0',
  [clientGenerator.name]: clientGenerator.version,
  '@stoplight/prism-cli': '5.14.2',
  '@stoplight/spectral-cli': '6.15.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '7.13.0',
  typescript: '5.9.3',
};

/** The folder in which the tools are installed. */
export async function installTools(): Promise<string> {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: tools });
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 12);
  const cache = join(projectFolder(), 'node_modules', '.cache');
  const folder = join(cache, `description-tools-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'description-tools-unfinished-'));
  writeFileSync(join(unfinished, 'package.json'), manifest);
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', install, { cwd: unfinished });
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return folder;
}

/** The script of an installed command. */
function commandOf(folder: string, name: string, command?: string): string {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const { bin } = createRequire(import.meta.url)(manifest) as { bin: Readonly<Record<string, string>> };
  return join(dirname(manifest), command === undefined ? Object.values(bin)[0]! : bin[command]!);
}

const quiet = { maxBuffer: 64_000_000, env: { ...process.env, CI: 'true', NO_COLOR: '1' } };

/** Runs an installed command; rejects with its output if it fails. */
export async function runTool(folder: string, name: string, args: readonly string[]): Promise<string> {
  const ran = run(process.execPath, [commandOf(folder, name), ...args], { cwd: folder, ...quiet });
  const { stdout } = await ran.catch(({ stdout, stderr }) => {
    throw new Error(`${name} failed:\n${stdout}\n${stderr}`);
  });
  return stdout;
}

/** The sources of the clients that the generators make of a description, in a folder of their own. */
export async function generateClients(tools: string, description: string): Promise<string> {
  const folder = mkdtempSync(join(tools, 'clients-'));
  await runTool(tools, 'openapi-typescript', [description, '-o', join(folder, 'schema.ts')]);
  await runTool(tools, '@hey-api/openapi-ts', [
    '-i',
    description,
    '-o',
    join(folder, 'hey-api'),
    '-c',
    '@hey-api/client-fetch',
  ]);
  const options = {
    input: { target: description },
    output: {
      ...{ target: join(folder, 'orval.ts'), client: 'fetch', mode: 'single' },
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  };
  const program = `import { generate } from 'orval'; await generate(${JSON.stringify(options)});`;
  writeFileSync(join(folder, 'generate.mjs'), program);
  await run(process.execPath, [join(folder, 'generate.mjs')], { cwd: folder, ...quiet });
  writeFileSync(join(folder, 'fetch-client.ts'), fetchClient);
  return folder;
}

/** The client that a program writes with `openapi-typescript`, and calls that only compile if their types are right. */
const fetchClient = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const clientOf = (baseUrl: string, headers: Record<string, string>) => createClient<paths>({ baseUrl, headers });

export async function typed(client: ReturnType<typeof clientOf>): Promise<number | string> {
  const menu = await client.GET('/api/v1/menu', { params: { query: { type: 'pickup' } } });
  const [product] = menu.data!.data;
  const body: components['schemas']['PlaceOrderRequest'] = {
    type: 'pickup',
    idempotencyKey: '',
    lineItems: [{ productOptionId: product!.options[0]!.id, quantity: 1 }],
    customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
  };
  const { data, error, response } = await client.POST('/api/v1/orders', { body });
  if (data !== undefined) return data.data.customerGrandTotal;
  const refusal = error.error;
  switch (refusal.code) {
    case 'PRICE_CHANGED':
      return refusal.meta.actual - refusal.meta.expected;
    case 'OUT_OF_STOCK':
      return refusal.meta.product.name;
    default:
      return response.status;
  }
}
`;

/** Languages for which the generator of OpenAPI 3.0 makes a client, and what runs a program with it. */
const languages = {
  python: {
    probe: ['python3', '-c', 'import urllib3, dateutil'],
    command: 'python3',
    program: 'python-shop.py',
    folderVariable: 'PYTHONPATH',
  },
  php: {
    probe: ['php', '-r', 'require "GuzzleHttp/autoload.php"; curl_version(); mb_strlen("");'],
    command: 'php',
    program: 'php-shop.php',
    folderVariable: 'CLIENT',
  },
} as const;

export const languageNames = Object.keys(languages) as ClientLanguage[];

/** Whether the machine can make a client for the language and run it. */
export async function speaks(language: ClientLanguage): Promise<boolean> {
  const [command, ...args] = languages[language].probe;
  return Promise.all([run('java', ['-version']), run(command, args)]).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a client for the language of a description in OpenAPI 3.0, and buys something with it by the program of this folder;
 * resolves to what that prints.
 */
export async function buyInLanguage(
  language: ClientLanguage,
  tools: string,
  description: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { command, program, folderVariable } = languages[language];
  const folder = mkdtempSync(join(tools, `${language}-`));
  const path = join(projectFolder(), 'test', 'contract', program);
  const env = { ...process.env, ...environment, [folderVariable]: folder };
  try {
    await makeClient(language, tools, description, folder);
    return (await run(command, [path], { env })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks the types of what the generators made, strictly. */
export async function checkTypes(tools: string, folder: string): Promise<void> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
    ...{
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await run(process.execPath, [commandOf(tools, 'typescript', 'tsc'), '-p', folder], {
    cwd: folder,
    ...quiet,
  }).catch(({ stdout }) => {
    throw new Error(`The generated clients have wrong types:\n${stdout}`);
  });
}

/** Loads a generated client. */
export async function loadClient<Client>(folder: string, source: string): Promise<Client> {
  const outfile = join(folder, `${source.replace(/\W/g, '-')}.mjs`);
  await build({
    entryPoints: [join(folder, source)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  return import(pathToFileURL(outfile).href) as Promise<Client>;
}

/** A mock of the service, made of its description. */
export async function startMock(tools: string, description: string) {
  const port = await freePort();
  const args = ['mock', '-h', '127.0.0.1', '-p', String(port), description];
  const mock = spawn(process.execPath, [commandOf(tools, '@stoplight/prism-cli', 'prism'), ...args], {
    ...quiet,
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [mock.stdout, mock.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes('is listening')) resolve();
      });
    }
    mock.once('exit', () => reject(new Error(`The mock ended:\n${output}`)));
  });
  await ready;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const ended = once(mock, 'exit');
      mock.kill();
      await ended;
    },
  };
}

/** A port that is free now: the mock takes a number only. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
