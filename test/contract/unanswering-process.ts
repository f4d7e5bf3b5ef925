import { setInterval } from 'node:timers';
import { createAuthenticate, KeyUses } from '../../src/access/keys/keys.ts';
import { StaffSessions } from '../../src/access/sessions/sessions.ts';
import { allEndpoints, allStaffEndpoints, createContext } from '../../src/app/app.ts';
import { idsOfPeople } from '../../src/app/fields-of-people.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createIdempotentRunner } from '../../src/platform/idempotency/kept-replies.ts';
import { openBlobStores } from '../../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../../src/shop/files/document-files.ts';
import { createSandboxRunner } from '../../src/shop/sandbox/sandbox.ts';

/*
 * A process that serves everything, and never answers a request with an idempotency key: it executes the request,
 * prints `done` after the commit, and waits to be killed.
 */
export interface UnansweringSettings {
  readonly connection: ConnectionConfig;
  readonly dataDir: string;
  /** In base64. */
  readonly documentMasterKey: string;
  readonly nowMs: number;
}

const settings = JSON.parse(process.env.UNANSWERING_SETTINGS!) as UnansweringSettings;
const clock = new ManualClock(settings.nowMs);
const context = createContext(settings.connection, clock);
const { database } = context;
const inOne = database.withAmbientTransaction.bind(database) as (...given: unknown[]) => Promise<unknown>;
database.withAmbientTransaction = async (...given) => {
  await inOne(...given);
  console.log('done');
  return new Promise(() => {});
};
const storage = {
  dataDir: settings.dataDir,
  bucket: undefined,
  documentMasterKeys: [Buffer.from(settings.documentMasterKey, 'base64')],
};
const blobs = openBlobStores(storage, console.log);
const documentFiles = openDocumentFiles(storage, blobs.documents);
const photoUrl = (location: string) => location;
const sessions = new StaffSessions(context, 'production');
const access = { sessions, environment: 'production', publicUrl: undefined } as const;
const server = createServer({
  address: 'base',
  endpoints: allEndpoints(context, photoUrl, documentFiles),
  authenticate: createAuthenticate(context, 'production', new KeyUses(context), { allowsSandboxes: true }),
  sandboxRunner: createSandboxRunner(context),
  runIdempotently: createIdempotentRunner(context, idsOfPeople),
  clock,
  logger: createLogger({ level: 'error' }),
  metrics: createMetrics(),
  rateLimits: undefined,
  readiness: async () => true,
  staff: {
    endpoints: allStaffEndpoints(context, access, photoUrl, documentFiles, blobs.photos),
    authenticate: sessions.authenticate,
    publicUrl: undefined,
  },
});
const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(`listening ${port}`);
// Ends with a test that dies first.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(), 1000);
