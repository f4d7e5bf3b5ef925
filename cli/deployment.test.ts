import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { Database } from '../src/platform/database/database.ts';
import { createDocumentDesk } from '../src/shop/documents/document-desk.test-support.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../src/shop/files/document-files.ts';
import { connectionUrl, execute } from '../test/harness/test-connection.ts';
import { createTestDatabase } from '../test/harness/test-database.ts';
import { startOwnTestService, startTestService } from '../test/harness/test-service.ts';
import { createTestShop } from '../test/harness/test-shop.ts';
import { commands } from './commands.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { runCommandLine } from './run-command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([{ migrates: true }, {}] as const)(
  'a command on a data folder without its database says so and creates nothing: %o',
  async (command) => {
    const dataDir = join(folder, 'lost');
    mkdirSync(join(dataDir, 'photos'), { recursive: true });
    writeFileSync(join(dataDir, 'photos', 'one.jpg'), '');
    const config = loadConfig({ DATA_DIR: dataDir }, folder);
    await expect(openDeployment(config, { write: () => {} }, command)).rejects.toThrow(
      `DATA_DIR ${dataDir} has photos of a shop, but its database is missing, the folder ${join(dataDir, 'postgres')}`,
    );
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  },
);

test('the document key is not rotated while a needed key is missing, and no key is created', async () => {
  const service = await startOwnTestService({ documentMasterKeys: [randomBytes(32)] });
  const { newCustomer, uploaded } = await createDocumentDesk(service);
  await uploaded((await newCustomer()).id, 'license');
  const config = loadConfig({ DATA_DIR: join(folder, 'keyless') }, folder);
  const operator = new Database(service.database.owner, 1);
  const documentFiles = openDocumentFiles(config, openBlobStores(config, () => {}).documents);
  const deployment = { config, context: service.context, operator, documentFiles } as unknown as Deployment;
  await expect(commands['documents rotate-key']!.run!(deployment, {})).rejects.toThrow(
    `which is not in ${join(config.dataDir, 'document-master-key')}. Put it back`,
  );
  expect(existsSync(config.dataDir)).toBe(false);
  await operator.close();
  await service.close();
});

test('demo shops are made in a DATA_DIR that can be used only: one that cannot is named before anything is written', async () => {
  const database = await createTestDatabase();
  const dataDir = join(import.meta.filename, 'data');
  const config = loadConfig({ DATA_DIR: dataDir }, folder);
  const deployment = { config: { ...config, databaseUrl: 'its' }, database, say: () => {} };
  await expect(commands.seed!.run!(deployment as unknown as Deployment, {})).rejects.toThrow(
    `DATA_DIR ${dataDir} cannot be used: a part of the path is a file`,
  );
  expect(await execute(database.owner, 'select from organizations')).toEqual([]);
  await database.drop();
});

test.each([['organization list'], ['integrator list'], ['law show'], ['reconcile', '--organization']])(
  '%s needs the database alone: no folder, no key of documents, no mail, no bucket',
  async (name, ...option) => {
    const service = await startTestService();
    const { organizationId } = await createTestShop(service.context, { products: [] });
    const said: string[] = [];
    const screen = { write: (text: string) => said.push(text) };
    const exitCode = await runCommandLine(
      [...name.split(' '), ...option.flatMap((it) => [it, String(organizationId)])],
      {
        env: {
          DATABASE_URL: connectionUrl(service.database.owner),
          // A file, below which no folder can be made.
          DATA_DIR: join(import.meta.filename, 'data'),
          BLOB_STORE: 's3://files/shop',
          DOCUMENT_MASTER_KEY_COMMAND: 'exit 1',
          SMTP_URL: 'smtp://localhost:1',
          S3_ENDPOINT: 'http://localhost:1',
          S3_ACCESS_KEY_ID: 'none',
          S3_SECRET_ACCESS_KEY: 'none',
        },
        folder,
        stdout: screen,
        stderr: screen,
      },
    );
    expect([exitCode, said.join('')]).toEqual([0, expect.stringMatching(/./)]);
    await service.close();
  },
);

/** Runs a program as a process. */
async function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const options = { cwd: projectFolder(), env };
  const run = promisify(execFile)(process.execPath, [program, ...args], options);
  return run.then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test('a schema of an earlier release is reported by status and refused by other commands, and none changes it', async () => {
  // Builds the command if needed; the next release is it with a further migration.
  await ended('dispensary.mjs', ['--help']);
  const [next, file] = [join(folder, 'next'), '0002_note_orders.sql'];
  mkdirSync(next);
  for (const name of ['node_modules', 'docs', 'contract', 'package.json']) {
    symlinkSync(join(projectFolder(), name), join(next, name));
  }
  cpSync(join(projectFolder(), 'migrations'), join(next, 'migrations'), { recursive: true });
  writeFileSync(join(next, 'migrations', file), 'alter table orders add column noted text;');
  const program = join(next, 'dispensary.mjs');
  copyFileSync(join(projectFolder(), 'dist', 'dispensary.mjs'), program);
  const service = await startOwnTestService();
  await createTestShop(service.context, { products: [] });
  const { owner } = service.database;
  const dataDir = join(next, 'data');
  mkdirSync(dataDir);
  const env = { ...process.env, DATABASE_URL: connectionUrl(owner), DATA_DIR: dataDir };
  const told = await ended(program, ['status', '--json'], env);
  expect(JSON.parse(told.stdout)).toMatchObject({
    ...{ missingMigrations: [file], organizations: 1 },
    attention: expect.arrayContaining(['1 migrations are missing: start the service']),
  });
  const refused = await ended(program, ['reconcile'], env);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('The schema of the database is of an earlier release: 1 migrations are missing'),
  ]);
  const applied = await execute(owner, 'select file from schema_migrations');
  expect(applied.map((row) => row.file)).not.toContain(file);
  await service.close();
}, 120_000);
