import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { Database } from '../src/platform/database/database.ts';
import { openBlobStores } from '../src/platform/storage/blob-stores.ts';
import { openDocumentFiles } from '../src/platform/storage/document-files.ts';
import { createDocumentDesk } from '../src/shop/documents/document-desk.test-support.ts';
import { connectionUrl } from '../test/harness/test-connection.ts';
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
