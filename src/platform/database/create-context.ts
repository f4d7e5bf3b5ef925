import { LawBook } from '../../engines/jurisdictions/law-book.ts';
import { type Clock, OrganizationClock, systemClock } from '../../kernel/clock.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import type { DatabaseDeadlines } from '../connections/deadlines.ts';
import type { Context } from './context.ts';
import type { ConnectionConfig } from './database.ts';
import { Database } from './database.ts';
import { IdSource } from './id-source.ts';
import type { ReadLease } from './read-lease.ts';
import { Sealing } from './sealing.ts';
import { ServiceAddress } from './service-address.ts';

/** The context of a process: its clock can run a request by the time of a sandbox. */
export interface ServiceContext extends Context {
  readonly clock: OrganizationClock;
  readonly serviceAddress: ServiceAddress;
}

/**
 * Creates the context of all reads and writes. Processes that serve, or write beside one that serves, get the lease of
 * the terms. `deadlines` default to those of a serving process.
 */
export function createContext(
  connection: ConnectionConfig,
  clock: Clock = systemClock,
  lease?: ReadLease,
  deadlines?: DatabaseDeadlines,
  fileLimits: Context['fileLimits'] = {},
): ServiceContext {
  const database = new Database(connection, undefined, lease, deadlines);
  return {
    database,
    ids: new IdSource(database),
    clock: new OrganizationClock(clock),
    wallClock: clock,
    law: new LawBook(),
    fileLimits,
    sealing: new Sealing(),
    serviceAddress: new ServiceAddress(),
    randomBytes: strongRandomBytes,
  };
}
