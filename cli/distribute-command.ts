import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { distribute } from '../src/platform/distribution/distribute.ts';
import { moveOrganization } from '../src/platform/distribution/move-organization.ts';
import type { DatabaseServer } from '../src/platform/distribution/move-part.ts';
import { listServers, moveParts, serversThatBlock } from '../src/platform/distribution/move-parts.ts';
import { eventFeedOf } from '../src/platform/events/event-feed.ts';
import { Id } from '../src/platform/http/schemas.ts';
import { bringReportSumsUpToDate } from '../src/shop/reports/reports.ts';
import { auditCommand, type Command, existingOrganization, type Result, required } from './command.ts';
import type { Deployment } from './deployment.ts';
import { UsageError } from './usage-error.ts';

/** For a database with Citus: several servers. */
export const distributeCommands: Readonly<Record<string, Command>> = {
  distribute: {
    summary:
      'distribute the tables over the servers of a Citus database, by organization; stop the service first, and take a backup',
    options: {},
    run: async ({ database }) => {
      const { distributed, copied, droppedReferences } = await distribute(database.owner);
      const isDone = distributed.length === 0 && copied.length === 0;
      return {
        lines: isDone
          ? ['The tables are distributed']
          : [
              `Distributed by organization: ${distributed.length} tables`,
              `Copied to each server: ${copied.join(', ')}`,
              ...droppedReferences.map((name) => `Foreign key that cannot hold any more: ${name}`),
            ],
        data: { distributed, copied, droppedReferences },
      };
    },
  },
  'organization move': {
    summary:
      'move an organization to a server of its own in a Citus database; writes of all wait for some seconds',
    options: {
      organization: required('id of the organization', Id()),
      server: required('the server, as the coordinator knows it: host:port'),
    },
    run: async ({ database, context, operator, say }, { organization: text, server }) => {
      const to = serverOf(server!);
      const organization = await existingOrganization(operator, text!);
      await sayHowLongWritesWait(database.owner, say);
      await prepareMove(context, [organization], server!);
      const isMoved = await moveOrganization(database.owner, organization, to);
      return {
        lines: [`Organization ${organization} ${isMoved ? 'was moved to' : 'is alone on'} ${server}`],
        data: { organization: Number(organization), server, moved: isMoved },
      };
    },
  },
  'server list': {
    summary: 'what each server of a Citus database has',
    options: {},
    run: async ({ database }) => {
      const servers = await listServers(database.owner);
      return {
        lines: servers.map(
          ({ server, parts, bytes }) => `${server}: ${parts} parts, ${(bytes / 1e6).toFixed(0)} MB`,
        ),
        data: { servers },
      };
    },
  },
  'server balance': {
    summary:
      'move parts between the servers of a Citus database until each has about as much; writes wait for the last second of each move',
    options: {},
    run: (deployment) => movePartsOf(deployment),
  },
  'server empty': {
    summary:
      'move all parts off a server of a Citus database, before it is removed; writes wait for the last second of each move',
    options: { server: required('the server, as the coordinator knows it: host:port') },
    run: (deployment, { server }) => movePartsOf(deployment, server),
  },
};

async function movePartsOf(
  { database, context, operator, say }: Deployment,
  leaving?: string,
): Promise<Result> {
  await sayHowLongWritesWait(database.owner, say);
  const all = (await listOrganizations(operator)).map(({ id }) => organizationId(id));
  const lines: string[] = [];
  const moved = await moveParts(database.owner, all, {
    leaving,
    before: async ({ part, to, organizations }) => {
      lines.push(
        `${organizations.length} organizations, ${(part.bytes / 1e6).toFixed(0)} MB: ${part.server} to ${to}`,
      );
      await prepareMove(context, organizations, to);
    },
  });
  return { lines: [...lines, `${moved} parts were moved`], data: { moved } };
}

/** An operator may rather set the servers up anew than let shops wait. */
async function sayHowLongWritesWait(owner: ConnectionConfig, say: (message: string) => void): Promise<void> {
  const servers = await serversThatBlock(owner);
  if (servers.length === 0) return;
  say(
    `Orders and other writes of all organizations wait while rows are copied, and are refused when they wait too long: wal_level of ${servers.join(', ')} is not "logical". ` +
      'Set it on every server and restart them, one after another, and writes wait for the last second of each move only.',
  );
}

async function prepareMove(
  context: Context,
  organizations: readonly OrganizationId[],
  server: string,
): Promise<void> {
  await auditCommand(context, organizations, { movedTo: server });
  // What is settled before needs not be carried along.
  for (const organization of organizations) {
    await eventFeedOf(context.database).publish(organization);
    await bringReportSumsUpToDate(context, organization);
  }
}

function serverOf(text: string): DatabaseServer {
  const [, host, port] = /^([^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined) throw new UsageError('--server must be host:port, such as db2.example.com:5432');
  return { host, port: Number(port) };
}
