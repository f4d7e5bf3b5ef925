import type { BaseLogger } from 'pino';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FetchNetwork } from '../../platform/http/guarded-fetch.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';

/** What sending webhooks needs. */
export interface WebhookWorkerOptions {
  readonly context: Context;
  /** A connection of the owner, which finds the organizations with work; without one, each is asked. */
  readonly operator?: Pick<Database, 'global'>;
  /** All types of events. */
  readonly eventTypes: readonly string[];
  readonly keys: MasterKeys;
  readonly network: FetchNetwork;
  readonly logger: Pick<BaseLogger, 'error'>;
  /** How long one attempt may take; by default 15 seconds. */
  readonly attemptMsMax?: number;
}
