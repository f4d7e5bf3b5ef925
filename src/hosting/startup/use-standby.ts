import { Counter, Gauge, type Registry } from 'prom-client';
import { readyDetails } from '../../kernel/ready-details.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Standby, StandbyState } from '../../platform/standby/standby.ts';
import type { Config } from './config.ts';

interface Parts {
  readonly config: Pick<Config, 'databaseReadUrl' | 'databaseAppUrl' | 'readLagBytes'>;
  readonly context: { readonly database: Database };
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  readonly metrics: { readonly registry: Registry };
}

/**
 * Lets the lists and reports of this process read from the standby of DATABASE_READ_URL, if that is set. A standby that is away
 * or behind is no error: the log, metrics and `/readyz` tell of it.
 */
export async function useStandby({ config, context, logger, metrics }: Parts): Promise<Standby | undefined> {
  const { databaseReadUrl: connectionString, databaseAppUrl, readLagBytes: lagBytesMax } = config;
  if (connectionString === undefined) return undefined;
  // As for the primary: one login is enough, and the program steps down to the serving role.
  const role = databaseAppUrl === undefined ? { options: '-c role=dispensary_app' } : {};
  const onChange = ({ isInUse, trouble, lagBytes }: StandbyState): void => {
    if (isInUse) logger.info({ lagBytes }, 'the standby answers lists and reports');
    else logger.warn({ trouble, lagBytes }, 'the standby is not used; the primary answers lists and reports');
  };
  const standby = await context.database.useStandby({
    connection: { connectionString, ...role },
    ...{ lagBytesMax, onChange },
  });
  readyDetails.set('standby', () => wordsOf(standby.state));
  registerStandbyMetrics(metrics.registry, standby);
  return standby;
}

function wordsOf({ isInUse, trouble }: StandbyState): string {
  return isInUse ? 'in use' : `not in use: ${trouble}`;
}

/** Metrics of the standby: its state, and who answered what it could have answered. */
export function registerStandbyMetrics(
  registry: Registry,
  standby: Pick<Standby, 'state' | 'statistics'>,
): void {
  new Gauge({
    name: 'database_standby_in_use',
    help: 'Whether the standby of DATABASE_READ_URL answers lists and reports.',
    registers: [registry],
    collect() {
      this.set(standby.state.isInUse ? 1 : 0);
    },
  });
  new Gauge({
    name: 'database_standby_lag_bytes',
    help: 'How far the standby was behind the log of the primary when it was last looked at.',
    registers: [registry],
    collect() {
      this.set(standby.state.lagBytes ?? Number.NaN);
    },
  });
  new Counter({
    name: 'database_standby_reads_total',
    help: 'Reads that the standby could answer, by who did: the standby; or the primary, because the standby was not in use, was behind, or failed.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(standby.statistics)) this.inc({ outcome }, count);
    },
  });
}
