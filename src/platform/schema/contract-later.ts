import type { ConnectionConfig } from '../database/database.ts';
import type { RunningJob } from '../upkeep/each-organization.ts';
import { type Migrated, type MigrateOptions, migrate } from './migrate.ts';

const lookEveryMs = 15_000;

interface JobLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Runs the migrations that wait, once no process of an earlier release is connected. Stops by itself then. */
export function contractLater(
  connection: ConnectionConfig,
  { waiting }: Pick<Migrated, 'waiting'>,
  logger: JobLog,
  options: MigrateOptions & { readonly lookEveryMs?: number } = {},
): RunningJob {
  let isStopping = waiting.length === 0;
  let run: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  if (!isStopping) logger.info({ waiting }, 'migrations wait for processes of an earlier release to end');

  const look = async (): Promise<void> => {
    try {
      const migrated = await migrate(connection, options);
      if (migrated.applied.length > 0) logger.info({ applied: migrated.applied }, 'waiting migrations ran');
      if (migrated.waiting.length > 0) plan();
    } catch (error) {
      logger.error({ err: error }, 'waiting migrations could not run');
      plan();
    }
  };
  const plan = (): void => {
    if (isStopping) return;
    timer = setTimeout(() => {
      run = look();
    }, options.lookEveryMs ?? lookEveryMs);
  };
  plan();
  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await run;
    },
  };
}
