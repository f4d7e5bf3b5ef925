import { distribute } from '../src/database/distribute.ts';
import type { Command } from './command.ts';

/** Turns a database with Citus into one of several servers. */
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
};
