import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3Server from 's3rver';
import { loadConfig } from '../../src/hosting/startup/config.ts';
import type { BucketSettings } from '../../src/platform/storage/s3-blob-store.ts';

/** A bucket on an S3 server in this process. It knows access keys, and does not check signatures. */
export interface TestBucket {
  readonly settings: BucketSettings;
  /** The requests, as `PUT /files/shop/photos/…`, oldest first. */
  readonly requests: readonly string[];
  /** Answers instead of the server while it is set. */
  interfere: RequestListener | undefined;
  close(): Promise<void>;
}

export async function startTestBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'dispensary-bucket-'));
  const store = new S3Server({
    ...{ directory, silent: true, vhostBuckets: false },
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  await store.configureBuckets();
  const answer = store.callback();
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url!.split('?', 1)[0]}`);
    (bucket.interfere ?? answer)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Read in the same way as in a deployment.
  const env = {
    BLOB_STORE: 's3://files/shop',
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    DOCUMENT_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  };
  const bucket: TestBucket = {
    settings: loadConfig(env, directory).bucket!,
    requests,
    interfere: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return bucket;
}

/** An error in the form of S3. */
export function refuseWith(status: number, code: string): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} it is</Message></Error>`);
  };
}
