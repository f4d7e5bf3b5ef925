import { rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { makeFolderDurable, makeNamesDurable } from '../src/hosting/embedded-postgres/copy-folder.ts';
import { anchorFolderName, type Config } from '../src/hosting/startup/config.ts';
import {
  type OrderSummary,
  selectOrderSummary,
  type VerificationReport,
} from '../src/hosting/verification/verification.ts';
import {
  type ArchiveStore,
  type DrillRecord,
  drillPath,
  layRestored,
  type RestorePlan,
  writeJson,
} from '../src/hosting/wal-archive/wal-archive.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { openDeployment } from './deployment.ts';
import { expectFree, makeOwnFolder } from './draft-folder.ts';
import { ProgressBar, type Screen } from './progress-bar.ts';
import { planOf } from './restore-plan.ts';
import { UsageError } from './usage-error.ts';
import { filesOf, verified } from './verify-folder.ts';

/** What was restored. */
export interface Restored {
  readonly shops: readonly (OrderSummary & { readonly id: number; readonly name: string })[];
  /** Null: not verified, because it was not wanted or the schema is another release's. */
  readonly report: VerificationReport | null;
}

/** Room for what PostgreSQL needs beside its data. */
const spareBytes = 256 * 1_048_576;

/**
 * Makes a data folder as of the moment of the plan. It appears complete or not at all, and is flushed to the disk. Fails with a
 * UsageError if the folder is not empty, or is in the archive.
 */
export async function restoreInto(
  config: Config,
  plan: RestorePlan,
  into: string,
  { screen, isVerified }: { readonly screen: Screen; readonly isVerified: boolean },
): Promise<Restored> {
  const target = resolve(into);
  const isInArchive = !plan.store.place.startsWith('s3://') && isWithin(plan.store.place, target);
  if (isInArchive) throw new UsageError(`--into: ${into} is in the archive`);
  await expectFree('--into', target);
  const draft = await makeOwnFolder(`${target}.restoring`);
  try {
    const restored = await makeRestored(config, plan, draft, { screen, isVerified });
    await makeFolderDurable(draft);
    await rename(draft, target);
    await makeNamesDurable(dirname(target));
    return restored;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function makeRestored(
  config: Config,
  plan: RestorePlan,
  folder: string,
  { screen, isVerified }: { readonly screen: Screen; readonly isVerified: boolean },
): Promise<Restored> {
  const { bavail, bsize } = await statfs(folder);
  const neededBytes = plan.base.bytes + spareBytes;
  if (bavail * bsize < neededBytes) {
    throw new Error(
      `${dirname(folder)} has ${megabytes(bavail * bsize)} free; restoring takes more than ${megabytes(neededBytes)}`,
    );
  }
  const bar = new ProgressBar(screen, () => systemClock.now());
  try {
    await layRestored({ ...plan, folder, onProgress: (share, words) => bar.show(share, words) });
  } finally {
    bar.end();
  }
  const own: Config = { ...config, dataDir: folder, databaseUrl: undefined, databaseAppUrl: undefined };
  const deployment = await openDeployment(own, screen, {
    ...{ acceptsAnySchema: true, settings: { fsync: 'off' } },
  });
  try {
    const { operator, context, missing } = deployment;
    const isOwnSchema = missing.length === 0;
    const shops: Restored['shops'][number][] = [];
    for (const { id, name } of await listOrganizations(operator)) {
      const [[summary]] = await context.database.read(organizationId(id), selectOrderSummary({}));
      shops.push({ id, name, ...summary! });
    }
    const report =
      isVerified && isOwnSchema
        ? await verified(deployment, filesOf(own, folder), join(folder, anchorFolderName), screen)
        : null;
    return { shops, report };
  } finally {
    await deployment.close();
  }
}

/** Restores the newest to a scratch folder, verifies it, removes it, and records the outcome in the archive. */
export async function drill(
  config: Config,
  store: ArchiveStore,
  {
    timeline,
    shop,
    scratch,
    screen,
  }: {
    readonly timeline?: string | undefined;
    readonly shop?: string | undefined;
    readonly scratch: string;
    readonly screen: Screen;
  },
): Promise<{ readonly record: DrillRecord; readonly restored: Restored | null }> {
  const startedAtMs = systemClock.now();
  const plan = await planOf(store, {
    ...(timeline !== undefined && { timeline }),
    ...(shop !== undefined && { shop }),
  });
  let restored: Restored | null = null;
  let reason: string | null = null;
  const folder = await makeOwnFolder(join(resolve(scratch), 'drill'));
  try {
    restored = await makeRestored(config, plan, folder, { screen, isVerified: true });
    const { report } = restored;
    if (report === null) reason = 'the schema is of an earlier release, so it was not verified';
    else if (!report.isWhole) reason = 'the restored data is damaged';
  } catch (error) {
    reason = (error as Error).message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const record: DrillRecord = {
    ...{ atMs: systemClock.now(), tookMs: systemClock.now() - startedAtMs, isWhole: reason === null, reason },
    ...{
      timeline: plan.timeline.facts.timeline,
      base: plan.base.base,
      restoredToMs: plan.timeline.reach!.toMs,
    },
    orders: restored?.shops.reduce((sum, { orders }) => sum + orders, 0) ?? 0,
  };
  if (record.isWhole) await writeJson(store, `${plan.base.folder}/verified.json`, record);
  await writeJson(store, drillPath(plan.timeline.facts.shop), record);
  return { record, restored };
}

function isWithin(folder: string, path: string): boolean {
  return relative(folder, path).split(/[\\/]/)[0] !== '..';
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_048_576).toLocaleString('en-US')} MB`;
}
