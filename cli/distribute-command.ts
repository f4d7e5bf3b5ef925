import { distribute } from '../src/platform/distribution/distribute.ts';
import { type DatabaseServer, moveOrganization } from '../src/platform/distribution/move-organization.ts';
import { eventFeedOf } from '../src/platform/events/event-feed.ts';
import { Id } from '../src/platform/http/schemas.ts';
import { bringReportSumsUpToDate } from '../src/shop/reports/reports.ts';
import { auditCommand, type Command, existingOrganization, required } from './command.ts';
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
    summary: 'move an organization to a server of its own in a Citus database; its writes wait meanwhile',
    options: {
      organization: required('id of the organization', Id()),
      server: required('the server, as the coordinator knows it: host:port'),
    },
    run: async ({ database, context, operator }, { organization: text, server }) => {
      const to = serverOf(server!);
      const organization = await existingOrganization(operator, text!);
      await auditCommand(context, [organization], { movedTo: server });
      // What is settled before needs not be carried along.
      await eventFeedOf(context.database).publish(organization);
      await bringReportSumsUpToDate(context, organization);
      const isMoved = await moveOrganization(database.owner, organization, to);
      return {
        lines: [`Organization ${organization} ${isMoved ? 'was moved to' : 'is alone on'} ${server}`],
        data: { organization: Number(organization), server, moved: isMoved },
      };
    },
  },
};

function serverOf(text: string): DatabaseServer {
  const [, host, port] = /^([^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined) throw new UsageError('--server must be host:port, such as db2.example.com:5432');
  return { host, port: Number(port) };
}
