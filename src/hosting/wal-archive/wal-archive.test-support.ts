import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { layCluster } from '../../../test/harness/made-cluster.ts';
import { startOwnTestService, type TestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import type { ArchiveStore } from './archive-store.ts';
import { WalArchiver } from './wal-archiver.ts';

/** A shop on an embedded database of its own, whose WAL can be archived. */
export interface ArchivedShop {
  readonly folder: string;
  readonly dataDir: string;
  readonly server: EmbeddedPostgres;
  readonly service: TestService;
  readonly shop: TestShop;
  /** Lines of the archivers' log, by level. */
  readonly said: { readonly level: string; readonly message: string }[];
  /** Places an order; resolves to its id. */
  place(): Promise<string>;
  /** Its loop does not run: tests call `tick` and `base`. */
  archiver(store: ArchiveStore, changes?: Partial<ConstructorParameters<typeof WalArchiver>[0]>): WalArchiver;
  close(): Promise<void>;
}

export async function openArchivedShop(
  settings: Readonly<Record<string, string>> = {},
): Promise<ArchivedShop> {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-archive-'));
  const dataDir = join(folder, 'data');
  await layCluster(dataDir);
  // No power failure is tested, so data need not be flushed to disk.
  const server = await startEmbeddedPostgres({
    ...{ dataDir, onProgress: () => {}, settings: { fsync: 'off', ...settings } },
  });
  const database = { owner: server.ownerConnection, serving: server.servingConnection, drop: async () => {} };
  const service = await startOwnTestService({ database, dataFolder: dataDir, documentMasterKeys: [] });
  const shop = await createTestShop(service.context);
  const said: { level: string; message: string }[] = [];
  const say = (level: string) => (_: object, message: string) => void said.push({ level, message });
  return {
    ...{ folder, dataDir, server, service, shop, said },
    place: async () => {
      const lineItems = [{ productOptionId: shop.optionId('tray'), quantity: 1 }];
      const body = pickupBody(shop, { lineItems });
      const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
      expect([reply.status, reply.error]).toEqual([201, undefined]);
      return reply.data.id;
    },
    archiver: (store, changes = {}) =>
      new WalArchiver({
        ...{ store, dataDir, admin: server.adminConnection, hasBlobs: true, includesMasterKey: true },
        ...{ baseHours: 24, keepBases: 2, timeZone: async () => 'America/Los_Angeles' },
        ...{ drill: async () => {}, logger: { info: say('info'), warn: say('warn'), error: say('error') } },
        ...changes,
      }),
    close: async () => {
      await service.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
