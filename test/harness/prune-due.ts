import { type PrunedKind, pruneInTurns } from '../../src/hosting/retention/retention.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';

/** One pass over some kinds in some organizations, as the program makes it. Resolves to the messages of its log. */
export async function pruneDue(
  kinds: readonly PrunedKind[],
  organizations: readonly OrganizationId[],
): Promise<string[]> {
  const messages: string[] = [];
  const note = (_: object, message: string) => void messages.push(message);
  const backlog = async (kind: PrunedKind['name']) => ({
    ...{ kind, overdue: 0, oldestMs: null, lateMs: 0, due: organizations },
  });
  await pruneInTurns({
    ...{ kinds, backlog },
    metrics: { show: () => {}, count: () => {}, failed: () => {} },
    logger: { info: note, warn: note, error: note } as never,
  });
  return messages;
}
