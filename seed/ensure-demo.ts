import { listIntegrators } from '../src/access/keys/keys.ts';
import { hasOrganization } from '../src/access/organizations/organizations.ts';
import { createContext } from '../src/app/app.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { makeDataFolder } from '../src/hosting/startup/data-folder.ts';
import type { OpenDatabase } from '../src/hosting/startup/open-database.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import { withSession } from '../src/platform/connections/with-session.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import { gatherStatistics } from '../src/platform/schema/gather-statistics.ts';
import { migrate } from '../src/platform/schema/migrate.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../src/shop/files/document-files.ts';
import { createSandbox } from '../src/shop/sandbox/sandbox.ts';
import { isDemoUnfinished, markDemoUnfinished, seedDemo, writeDemoFile } from './seed-demo.ts';

const origin: Origin = { actor: 'job:seed', requestId: null };

/**
 * Makes the demo shops once, in a database that has no organization. Resolves to whether it did. An interrupted
 * attempt on the embedded database starts over; an external database is never emptied. Fails with an Error that names DATA_DIR if it
 * cannot be used.
 */
export async function ensureDemo(
  config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'environment' | 'bucket' | 'documentMasterKeys' | 'sandboxes'
  >,
  database: OpenDatabase,
  urls: { readonly baseUrl: string; readonly menuUrl: string },
  onProgress: (message: string) => void,
): Promise<boolean> {
  const isEmpty = await withSession(database.owner, async (owner) => {
    if (isDemoUnfinished(config.dataDir) && config.databaseUrl === undefined) {
      onProgress('The demo shops were not finished: starting over.');
      await owner.query('drop schema public cascade; create schema public');
      await migrate(database.owner);
    }
    return !(await hasOrganization(owner));
  });
  if (!isEmpty) return false;
  // A service has made it at its start, and has warned about it.
  makeDataFolder(config.dataDir, () => {});
  markDemoUnfinished(config.dataDir);
  // An interrupted attempt starts over, so these commits need not reach the disk one by one.
  const options = [database.serving.options, '-c synchronous_commit=off'].filter(Boolean).join(' ');
  const context = createContext({ ...database.serving, options }, undefined, undefined, patientDeadlines);
  try {
    const { photos, documents } = openBlobStores(config, onProgress);
    const files = { photos, documents: openDocumentFiles(config, documents) };
    const organizations = await seedDemo(context, config.environment, files, onProgress);
    const [integrator] = config.sandboxes ? await listIntegrators(context) : [];
    const sandbox = integrator && (await createDemoSandbox(context, integrator));
    // Plans need statistics; the server would gather them by itself only a minute later.
    await withSession(database.owner, (session) => gatherStatistics(session, 'analyze'));
    writeDemoFile(config.dataDir, { ...urls, organizations, ...(sandbox && { sandbox }) });
  } finally {
    await context.database.close();
  }
  return true;
}

/**
 * What the file of the demo has of a sandbox. Not its organization: each reset makes it another one, with the same name and
 * keys. `GET /api/v1/sandbox` has the present id.
 */
export async function createDemoSandbox(
  context: Context,
  integrator: { readonly id: number; readonly name: string },
) {
  const { organizationId: _, ...lasting } = await createSandbox(context, origin, integrator);
  return lasting;
}
