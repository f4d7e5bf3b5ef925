import { pino } from 'pino';
import type { TestService } from '../../../test/harness/test-service.ts';
import { Database } from '../../platform/database/database.ts';
import { createMetrics, createMetricsServer } from '../../platform/http/metrics.ts';
import type { EncryptionLock } from '../../platform/storage/encrypted-stream.ts';
import { operatorDesk } from './operator-desk.ts';

export const operatorKey = 'lantern-harbor-quiet-violet-0123456789';

/** The operator's page of a test service, at a port of the loopback; `url` ends with that port. */
export async function openDesk(service: TestService, lock?: EncryptionLock) {
  const { context, documentFiles: documents, photoBlobs: photos, database } = service;
  const operator = new Database(database.owner, 1);
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(line) });
  const desk = operatorDesk({
    ...{ key: operatorKey, host: '127.0.0.1', lock, context, operator },
    ...{ tables: database.owner, documents, photos, logger },
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
    close: async () => {
      await server.close();
      await operator.close();
    },
  };
}
