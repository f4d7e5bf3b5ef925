import { allEventTypes } from '../../src/app/app.ts';
import { LawBook } from '../../src/engines/jurisdictions/law-book.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { strongRandomBytes } from '../../src/kernel/random-bytes.ts';
import { type ConnectionConfig, Database } from '../../src/platform/database/database.ts';
import { IdSource } from '../../src/platform/database/id-source.ts';
import { Sealing } from '../../src/platform/database/sealing.ts';
import { networkWith } from '../../src/platform/http/guarded-fetch.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { MasterKeys } from '../../src/platform/storage/master-keys.ts';
import { usualFileLimits } from '../../src/shop/files/file-limits.ts';
import { WebhookWorker } from '../../src/shop/webhooks/webhooks.ts';

/** A process that sends webhooks as the program's worker does, until it is killed. */
export interface WebhookProcessSettings {
  readonly connection: ConnectionConfig;
  readonly masterKey: string;
  readonly nowMs: number;
}

const settings = JSON.parse(process.env.WEBHOOK_SETTINGS!) as WebhookProcessSettings;
const database = new Database(settings.connection);
const clock = new ManualClock(settings.nowMs);
const keys = new MasterKeys({ dataDir: '/', documentMasterKeys: [Buffer.from(settings.masterKey, 'hex')] });
const sealing = new Sealing();
sealing.use(() => keys.sealer(strongRandomBytes));
new WebhookWorker({
  context: {
    database,
    ids: new IdSource(database),
    clock,
    wallClock: clock,
    law: new LawBook(),
    fileLimits: usualFileLimits,
    sealing,
    randomBytes: strongRandomBytes,
  },
  eventTypes: allEventTypes,
  keys,
  network: networkWith(['127.0.0.1']),
  logger: createLogger({ level: 'warn' }),
}).start();
