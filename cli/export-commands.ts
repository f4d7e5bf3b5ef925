import { StaffSessions } from '../src/access/sessions/sessions.ts';
import { allEndpoints, allStaffEndpoints } from '../src/app/app.ts';
import { SnapshotDatabase } from '../src/platform/database/snapshot-database.ts';
import { announce } from '../src/platform/events/announce.ts';
import { Id } from '../src/platform/http/schemas.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { type Command, chosenOrganization, operatorOrigin, optional, required } from './command.ts';
import type { Deployment } from './deployment.ts';
import { exportedLists, exportedResources } from './export-lists.ts';
import { ProgressBar } from './progress-bar.ts';
import { runExport, sumsFile } from './run-export.ts';
import { UsageError } from './usage-error.ts';

/** The operator's command to export a shop's data (docs/BULK.md). */
export const exportCommands: Readonly<Record<string, Command>> = {
  export: {
    summary: "export all of an organization's data as NDJSON, from one moment",
    options: {
      to: required('folder to write to; it must be empty or not exist'),
      organization: optional('id of the organization; required if there are several', Id()),
      resource: optional(`only some of ${exportedResources.join(',')}`),
    },
    run: async (deployment, sent) => {
      const { context, operator, database, screen } = deployment;
      const resources = readResources(sent.resource);
      const organization = await chosenOrganization(operator, sent.organization);
      const nowMs = context.clock.now();
      const snapshot = new SnapshotDatabase(database.serving);
      const bar = new ProgressBar(screen, () => context.clock.now());
      try {
        const files = await runExport({
          organization,
          snapshot,
          operations: operationsOn(snapshot, deployment),
          resources,
          folder: sent.to!,
          announce: () =>
            context.database.write(organization, (tx) =>
              announce(tx, context, operatorOrigin, nowMs, {
                event: 'organization.exported',
                subjectType: 'organization',
                subjectId: organization,
                payload: { resources },
              }),
            ),
          onProgress: (resource, written, share) =>
            bar.show(share, `${resource} ${written.toLocaleString('en-US')}`),
        });
        bar.end();
        return {
          lines: [
            ...files.map(({ file, records }) => `${String(records).padStart(10)}  ${file}`),
            `${files.length} files in ${sent.to}; check them with: sha256sum -c ${sumsFile}`,
          ],
          data: { organizationId: organization, to: sent.to, files },
        };
      } catch (error) {
        bar.end();
        throw error;
      } finally {
        await snapshot.close();
      }
    },
  },
};

function readResources(text: string | undefined): readonly string[] {
  if (text === undefined) return exportedResources;
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !exportedResources.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--resource: ${unknown} is not one of ${exportedResources.join(', ')}`);
  }
  for (const { resource, of } of exportedLists) {
    if (of && named.includes(resource) && !named.includes(of.resource)) {
      throw new UsageError(`--resource: ${resource} also needs ${of.resource}`);
    }
  }
  return named;
}

/** All operations of the service, reading from the snapshot. */
function operationsOn(snapshot: SnapshotDatabase, { context, config, documentFiles, say }: Deployment) {
  const frozen = { ...context, database: snapshot };
  const photoUrl = (location: string): string =>
    location.startsWith('/') ? (config.publicUrl ?? `http://127.0.0.1:${config.port}`) + location : location;
  const access = {
    sessions: new StaffSessions(frozen, config.environment),
    environment: config.environment,
    publicUrl: config.publicUrl,
  };
  return [
    ...allStaffEndpoints(frozen, access, photoUrl, documentFiles, openBlobStores(config, say).photos),
    ...allEndpoints(frozen, photoUrl, documentFiles),
  ];
}
