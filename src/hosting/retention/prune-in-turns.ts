import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import type { PruneStep } from '../../platform/upkeep/prune-step.ts';
import type { BacklogOfKind, RetainedKindName } from './retention-backlog.ts';
import type { RetentionMetrics } from './retention-metrics.ts';

const periodMs = 3_600_000;

/** A kind of rows that expire. */
export interface PrunedKind {
  readonly name: RetainedKindName;
  /** One short transaction. */
  readonly step: (organization: OrganizationId) => Promise<PruneStep>;
}

interface Pruning {
  readonly kinds: readonly PrunedKind[];
  readonly backlog: (kind: RetainedKindName) => Promise<BacklogOfKind>;
  readonly metrics: Pick<RetentionMetrics, 'show' | 'count' | 'failed'>;
  readonly logger: RequestLog;
  readonly isStopping?: () => boolean;
}

/**
 * One pass over everything that is too old. Every organization has its turn in each round, of each kind, and a turn is one step:
 * a shop with a million rows makes no other wait for more than its step. In memory are the ids of organizations only. A failure is
 * logged, and that organization is left to the next pass. Resolves to how much was deleted of each kind.
 */
export async function pruneInTurns(pruning: Pruning): Promise<Map<RetainedKindName, number>> {
  const { kinds, metrics, logger, isStopping = () => false } = pruning;
  const pruned = new Map<RetainedKindName, number>();
  let waiting: { kind: PrunedKind; organizations: readonly number[] }[] = [];
  for (const kind of kinds) {
    if (isStopping()) return pruned;
    const due = await dueOf(pruning, kind);
    if (due.length > 0) waiting.push({ kind, organizations: due });
  }
  const touched = new Set(waiting.map(({ kind }) => kind));
  while (waiting.length > 0 && !isStopping()) {
    const left: typeof waiting = [];
    for (const { kind, organizations } of waiting) {
      const next: number[] = [];
      for (const id of organizations) {
        if (isStopping()) break;
        const step = await stepOf(kind, organizationId(id), metrics, logger);
        pruned.set(kind.name, (pruned.get(kind.name) ?? 0) + step.pruned);
        if (step.hasMore) next.push(id);
      }
      if (next.length > 0) left.push({ kind, organizations: next });
    }
    waiting = left;
  }
  for (const kind of touched) if (!isStopping()) await dueOf(pruning, kind);
  for (const [kind, count] of pruned) if (count > 0) logger.info({ kind, count }, 'pruned');
  return pruned;
}

/** Shows the backlog of a kind in the metrics; resolves to the organizations that have something to delete. */
async function dueOf({ backlog, metrics, logger }: Pruning, kind: PrunedKind): Promise<readonly number[]> {
  try {
    const found = await backlog(kind.name);
    metrics.show(found);
    return found.due;
  } catch (error) {
    logger.error({ err: error, kind: kind.name }, 'what is too old could not be counted');
    metrics.failed(kind.name);
    return [];
  }
}

async function stepOf(
  { name, step }: PrunedKind,
  organization: OrganizationId,
  metrics: Pruning['metrics'],
  logger: RequestLog,
): Promise<PruneStep> {
  try {
    const done = await step(organization);
    metrics.count(name, done.pruned);
    return done;
  } catch (error) {
    logger.error({ err: error, kind: name, organizationId: organization }, 'rows could not be pruned');
    metrics.failed(name);
    return { pruned: 0, hasMore: false };
  }
}

/** Makes a pass now and every hour. Stopping waits for the step that is under way. */
export function startPruning(pruning: Omit<Pruning, 'isStopping'>): RunningJob {
  let isStopping = false;
  let pass: Promise<void> | undefined;
  const begin = (): void => {
    pass ??= pruneInTurns({ ...pruning, isStopping: () => isStopping })
      .then(() => undefined)
      .finally(() => {
        pass = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, periodMs);
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await pass;
    },
  };
}
