import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  endOrganization,
  resumeOrganization,
  standingOf,
  suspendOrganization,
} from '../src/access/organizations/organizations.ts';
import type { Standing } from '../src/access/organizations/suspend-organization.ts';
import { checksummedCollections } from '../src/app/app.ts';
import {
  announceMoveOut,
  endAfter,
  exportOrganization,
  graceDays,
  opensAfterImport,
  shownStanding,
  tablesLogin,
  takeInOrganization,
  UnfitArchive,
} from '../src/hosting/organization-moves/organization-moves.ts';
import { reportLines, verifyAll } from '../src/hosting/verification/verification.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import { isoTimestamp } from '../src/kernel/local-time.ts';
import { withSession } from '../src/platform/connections/with-session.ts';
import { Id } from '../src/platform/http/schemas.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import {
  type Command,
  existingOrganization,
  optional,
  operatorOrigin as origin,
  type Result,
  required,
  wholeNumber,
} from './command.ts';
import type { Deployment } from './deployment.ts';
import { keyOf, writeEncrypted } from './encrypted-file.ts';
import { ProgressBar } from './progress-bar.ts';
import { UsageError } from './usage-error.ts';
import { filesOf } from './verify-folder.ts';

const whichOrganization = { organization: required('id of the organization', Id()) };

/** The operator's commands for an organization that moves to another deployment, stands still, or ends (docs/OFFBOARDING.md). */
export const organizationMoveCommands: Readonly<Record<string, Command>> = {
  'organization export': {
    summary: 'write one organization whole, with its files, for another deployment',
    options: {
      ...whichOrganization,
      to: required('file to write; with BACKUP_RECIPIENTS or BACKUP_PASSPHRASE it is encrypted'),
    },
    run: (deployment, options) => moveOut(deployment, options.organization!, options.to!),
  },
  'organization import': {
    summary: 'take in an organization that another deployment exported; it stays suspended until resume',
    options: {
      from: required('file of organization export'),
      identity: optional('file with the private key, for an encrypted file'),
    },
    run: (deployment, options) => moveIn(deployment, options.from!, options.identity),
  },
  'organization suspend': {
    summary: 'let an organization be read and not written, within a second',
    options: whichOrganization,
    run: ({ context, operator }, { organization }) =>
      changed(operator, organization!, (id) => suspendOrganization(context, origin, id)),
  },
  'organization resume': {
    summary: 'let a suspended organization trade again; an end that was set is no longer',
    options: whichOrganization,
    run: async (deployment, { organization }) => {
      const { context, operator } = deployment;
      const id = await existingOrganization(operator, organization!);
      refuseTooEarly(deployment, await standingOf(context, id));
      return shown(id, await resumeOrganization(context, origin, id));
    },
  },
  'organization delete': {
    summary: 'suspend an organization, and have it deleted with all that it has after a time of grace',
    options: {
      ...whichOrganization,
      name: required('its name, so that no number is mistyped'),
      'after-days': optional(`days of grace, 0 to ${graceDays.max}; by default ${graceDays.usual}`),
    },
    run: async ({ context, operator, config }, { organization, name, 'after-days': days }) => {
      const id = await existingOrganization(operator, organization!);
      const before = await standingOf(context, id);
      if (before.name !== name) throw new UsageError(`--name: organization ${id} is called ${before.name}`);
      const grace = days === undefined ? graceDays.usual : days === '0' ? 0 : wholeNumber('after-days', days);
      if (grace > graceDays.max) throw new UsageError(`--after-days must be at most ${graceDays.max}`);
      const after = await endOrganization(context, origin, id, endAfter(context, grace));
      const { lines, data } = shown(id, after);
      return {
        lines: [
          ...lines,
          'Until then, organization resume takes it back, and organization export still writes it.',
          config.walArchive === undefined
            ? 'Backups that were taken keep it until you delete them.'
            : 'Backups and the log archive keep it until they are deleted or pruned: a restore from before its end brings it back.',
        ],
        data,
      };
    },
  },
};

async function changed(
  operator: Deployment['operator'],
  text: string,
  change: (id: OrganizationId) => Promise<Standing>,
): Promise<Result> {
  const id = await existingOrganization(operator, text);
  return shown(id, await change(id));
}

function shown(id: OrganizationId, standing: Standing): Result {
  const data = shownStanding(id, standing);
  const { name, suspendedAt, endsAt } = data;
  const words =
    suspendedAt === null
      ? 'trades'
      : `is read and not written since ${suspendedAt}${endsAt === null ? '' : `, and is deleted at ${endsAt}`}`;
  return { lines: [`Organization ${id} (${name}) ${words}`], data };
}

/** Processes that serve may still make ids from before it came in. */
function refuseTooEarly({ context, database }: Deployment, standing: Standing): void {
  const opensAtMs = database.isShared ? opensAfterImport(standing, context.clock.now()) : null;
  if (opensAtMs === null) return;
  throw new UsageError(
    `it came in while the service runs: resume it from ${isoTimestamp(opensAtMs)} on, so that every process makes ids behind its own`,
  );
}

async function moveOut(deployment: Deployment, text: string, to: string): Promise<Result> {
  const { context, operator, config, documentFiles, screen } = deployment;
  const organization = await existingOrganization(operator, text);
  const target = resolve(to);
  if (existsSync(target)) throw new UsageError(`--to: ${to} must not exist`);
  const { suspendedAtMs, name } = await standingOf(context, organization);
  await announceMoveOut(context, origin, organization);
  const bar = new ProgressBar(screen, () => context.clock.now());
  try {
    const sums = await withSession(tablesLogin(deployment.database), async (client) => {
      let done = 0;
      const run = exportOrganization({
        ...{ client, organization, documents: documentFiles, nowMs: context.clock.now() },
        photos: openBlobStores(config, () => {}).photos,
        onTable: (table, rows) => bar.show(Math.min(0.99, ++done / 130), `${table} ${rows}`),
      });
      if (config.backupLock === undefined) await writePlain(target, run.archive);
      else await writeEncrypted(target, run.archive, config.backupLock);
      return run.sums;
    });
    bar.end();
    const rows = Object.values(sums.tables).reduce((sum, table) => sum + table.rows, 0);
    const { photos, documents } = sums;
    return {
      lines: [
        `Organization ${organization} (${name}) in ${to}: ${rows} rows, ${documents} documents, ${photos} files of photos`,
        config.backupLock === undefined
          ? 'It is not encrypted, and has everything that is sealed here: keep it like a password, or set BACKUP_RECIPIENTS.'
          : 'It is encrypted.',
        suspendedAtMs === null
          ? 'The organization still trades: what it sells from now on is not in the file. Suspend it first for the last export.'
          : 'The organization is suspended: nothing is missing.',
        'On the other deployment: dispensary organization import --from <file>',
      ],
      data: { organizationId: organization, to, rows, ...sums, isSuspended: suspendedAtMs !== null },
    };
  } finally {
    bar.end();
  }
}

async function writePlain(target: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  const draft = `${target}.partial`;
  await rm(draft, { force: true });
  try {
    await pipeline(archive, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function moveIn(deployment: Deployment, from: string, identity: string | undefined): Promise<Result> {
  const { context, config, documentFiles, database } = deployment;
  if (!existsSync(from)) throw new UsageError(`--from: there is no file ${from}`);
  const { backupLock } = config;
  const passphrase =
    backupLock !== undefined && 'passphrase' in backupLock ? backupLock.passphrase : undefined;
  const bar = new ProgressBar(deployment.screen, () => context.clock.now());
  let done = 0;
  const { photos } = openBlobStores(config, () => {});
  const { lines, data } = await takeInOrganization({
    ...{ context, environment: config.environment, origin, tables: tablesLogin(database), photos },
    documents: documentFiles,
    archive: createReadStream(from),
    key: () => keyOf({ identity, passphrase }),
    onTable: (table, rows) => bar.show(Math.min(0.99, ++done / 300), `${table} ${rows}`),
    verify: async (id) => {
      bar.end();
      const report = await verifyAll({
        ...{ context, serving: database.serving, admin: null, dataDir: null, organizations: [{ id }] },
        collections: checksummedCollections,
        files: { ...filesOf(config, config.dataDir), documentNames: null },
      });
      return { ...report, lines: reportLines(report) };
    },
  }).catch((error: Error) => {
    throw error instanceof UnfitArchive ? new UsageError(`--from: ${error.message}`) : error;
  });
  return { lines, data, exitCode: data.verification.isWhole ? 0 : 1 };
}
