import { Counter, Gauge, type Registry } from 'prom-client';
import { concerns } from '../../kernel/concerns.ts';
import { programVersion } from '../../kernel/project-folder.ts';
import type { DatabaseStatistics } from '../../platform/connections/round-trips.ts';
import type { RestartStatistics } from '../embedded-postgres/supervisor.ts';
import type { Config } from './config.ts';

/** Metrics of a process's database use: statements, round trips and repeated writes. */
export function registerDatabaseMetrics(registry: Registry, statistics: DatabaseStatistics): void {
  const counted: Readonly<Record<keyof DatabaseStatistics, readonly [name: string, help: string]>> = {
    statements: ['database_statements_total', 'Statements sent to PostgreSQL.'],
    roundTrips: ['database_round_trips_total', 'Batches of statements sent to PostgreSQL.'],
    retries: ['database_write_retries_total', 'Writes repeated after a collision with another one.'],
  };
  for (const [key, [name, help]] of Object.entries(counted)) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(statistics[key as keyof DatabaseStatistics]);
      },
    });
  }
}

/** Metrics of the restarts of the embedded PostgreSQL after unexpected ends. */
export function registerRestartMetrics(registry: Registry, restarts: Readonly<RestartStatistics>): void {
  new Counter({
    name: 'database_restarts_total',
    help: 'Restarts of the embedded PostgreSQL after unexpected ends, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(restarts)) this.inc({ outcome }, count);
    },
  });
}

/** The concerns of the process, each as 1 while it lasts. */
export function registerConcernMetrics(registry: Registry): void {
  new Gauge({
    name: 'deployment_concerns',
    help: 'What is wrong with the deployment while it goes on serving, by name.',
    labelNames: ['concern'],
    registers: [registry],
    collect() {
      this.reset();
      for (const concern of concerns.names) this.set({ concern }, 1);
    },
  });
}

/** What this process is: its version, Node, roles and environment, as labels of a 1. */
export function registerServiceMetrics(
  registry: Registry,
  { roles, environment, rateLimits }: Pick<Config, 'roles' | 'environment' | 'rateLimits'>,
): void {
  new Gauge({
    name: 'service_info',
    help: 'What this process is; its value is always 1.',
    labelNames: ['version', 'node', 'roles', 'environment', 'rate_limits'],
    registers: [registry],
  }).set(
    {
      ...{ version: programVersion(), node: process.version, roles: roles.join(' '), environment },
      rate_limits: rateLimits ? 'on' : 'off',
    },
    1,
  );
}
