import { pino } from 'pino';
import type { TestService } from '../../../test/harness/test-service.ts';
import { checksummedCollections } from '../../app/app.ts';
import { type ConnectionConfig, Database } from '../../platform/database/database.ts';
import { createMetrics, createMetricsServer } from '../../platform/http/metrics.ts';
import type { EncryptionLock } from '../../platform/storage/encrypted-stream.ts';
import { adminOf } from '../verification/damaged-shop.test-support.ts';
import { reportLines, verifyAll } from '../verification/verification.ts';
import { operatorDesk } from './operator-desk.ts';
import { type DeskLimits, deskLimits } from './operator-requests.ts';

export const operatorKey = 'lantern-harbor-quiet-violet-0123456789';

/** The operator's page of a test service, at a port of the loopback; `url` ends with that port. */
export async function openDesk(
  service: TestService,
  {
    lock,
    ...limits
  }: Partial<DeskLimits> & {
    /** For whom archives are encrypted; by default they are not. */
    readonly lock?: EncryptionLock;
    /** By default a superuser. */
    readonly tables?: ConnectionConfig;
  } = {},
) {
  const { context, documentFiles: documents, photoBlobs: photos, database } = service;
  const operator = new Database(database.owner, 1);
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(line) });
  const desk = operatorDesk({
    ...{ key: operatorKey, host: '127.0.0.1', lock, context, operator },
    ...{ tables: limits.tables ?? adminOf(service), documents, photos, logger },
    ...{ environment: 'production', limits: { ...deskLimits, ...limits } },
    verify: async (id) => {
      const report = await verifyAll({
        ...{ context, serving: database.serving, admin: null, dataDir: null, organizations: [{ id }] },
        collections: checksummedCollections,
        files: { documents, photos, documentNames: null },
      });
      return { isWhole: report.isWhole, lines: reportLines(report) };
    },
  });
  const server = createMetricsServer(createMetrics(), async () => true, desk);
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, logged, operator },
    /** Sends a request with the key; with a body it is a POST. */
    ask: (
      path: string,
      body?: object,
      headers: Readonly<Record<string, string>> = {},
      signal: AbortSignal | null = null,
    ) =>
      fetch(`${url}/operator/v1/organizations${path}`, {
        signal,
        headers: {
          authorization: `Bearer ${operatorKey}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    /** Sends an archive to be imported, with the key of the operator. */
    bring: (
      archive: Uint8Array | ReadableStream,
      headers: Readonly<Record<string, string>> = {},
      query: Readonly<Record<string, string>> = { by: 'Ada Operator', reason: 'Moved here' },
    ) =>
      fetch(`${url}/operator/v1/organizations/import?${new URLSearchParams(query)}`, {
        ...{ method: 'POST', body: archive, duplex: 'half' },
        headers: { authorization: `Bearer ${operatorKey}`, ...headers },
      } as RequestInit),
    close: async () => {
      await server.close();
      await operator.close();
    },
  };
}
