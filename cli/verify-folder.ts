import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { checksummedCollections } from '../src/app/app.ts';
import { copyFolder } from '../src/hosting/embedded-postgres/copy-folder.ts';
import { openAnchorStores } from '../src/hosting/startup/audit-anchors.ts';
import { anchorFolderName, type Config } from '../src/hosting/startup/config.ts';
import {
  type VerificationReport,
  type VerifiedFiles,
  verifyAll,
} from '../src/hosting/verification/verification.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { isBlobName } from '../src/platform/storage/blob-store.ts';
import type { ListedStore } from '../src/platform/storage/s3-blob-store.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../src/shop/files/document-files.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { ProgressBar, type Screen } from './progress-bar.ts';

/** The parts of a data folder that PostgreSQL needs. */
const databaseParts = ['postgres', 'postgres-credentials.json'];

/** Verifies the deployment of the configuration, beside a running service or without one. */
export async function verifyDeployment(config: Config, screen: Screen): Promise<VerificationReport> {
  const deployment = await openDeployment(config, screen, {});
  try {
    return await verified(deployment, filesOf(config, config.dataDir), config.anchorFolder, screen);
  } finally {
    await deployment.close();
  }
}

/**
 * Verifies a data folder that no service runs on, such as a backup, and leaves it as it is: PostgreSQL recovers and runs on a copy
 * of the database beside it, which is removed. Photos and documents are read where they are.
 */
export async function verifyFolder(
  config: Config,
  folder: string,
  screen: Screen,
): Promise<VerificationReport> {
  const copy = `${folder.replace(/\/+$/, '')}.verifying`;
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { mode: 0o700 });
  try {
    await copyFolder(folder, copy, {
      isLeftOut: (path) => !path.includes('/') && !databaseParts.includes(path),
    });
    const own: Config = { ...config, dataDir: copy, databaseUrl: undefined, databaseAppUrl: undefined };
    // A copy that is thrown away needs no durability.
    const deployment = await openDeployment(own, screen, { settings: { fsync: 'off' } });
    try {
      return await verified(deployment, filesOf(config, folder), join(folder, anchorFolderName), screen);
    } finally {
      await deployment.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The files of a data folder, or of the bucket of the configuration. */
export function filesOf(
  config: Pick<Config, 'bucket' | 'documentMasterKeys'>,
  dataDir: string,
  nowMs = systemClock.now(),
): VerifiedFiles {
  const at = { ...config, dataDir };
  const blobs = openBlobStores(at, () => {});
  const { documents: listed } = blobs.listed;
  return {
    documents: openDocumentFiles(at, blobs.documents),
    photos: blobs.photos,
    documentNames: () =>
      listed === undefined ? namesIn(join(dataDir, 'documents')) : namesInBucket(listed, nowMs - youngMs),
  };
}

/** Other names are unfinished files. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).filter(isBlobName);
}

/** Beside a running service, the row of a younger object may come later; and the clocks of two machines differ. */
const youngMs = 3_600_000;

/** The names of objects that are older than that. */
async function namesInBucket(store: ListedStore, beforeMs: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ; ) {
    const { files, next } = await store.page(after);
    for (const { name, changedAtMs } of files) {
      if (isBlobName(name) && changedAtMs < beforeMs) names.push(name);
    }
    if (next === undefined) return names;
    after = next;
  }
}

/** Verifies what is open. */
export async function verified(
  { config, context, database, operator }: Deployment,
  files: VerifiedFiles,
  anchorFolder: string,
  screen: Screen,
): Promise<VerificationReport> {
  const bar = new ProgressBar(screen, () => context.clock.now());
  try {
    return await verifyAll({
      context,
      serving: database.serving,
      admin: database.admin === null ? null : { ...database.admin, database: 'dispensary' },
      dataDir: database.admin === null ? null : config.dataDir,
      organizations: await listOrganizations(operator),
      collections: checksummedCollections,
      files,
      anchors: openAnchorStores({ anchorFolder, bucket: config.bucket }, () => {}),
      onProgress: (share, words) => bar.show(share, words),
    });
  } finally {
    bar.end();
  }
}
