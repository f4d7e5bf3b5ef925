import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import type { FileKind } from './file-limits.ts';
import { lockedQuota, setQuota } from './quota-queries.ts';

/**
 * Sets how many files of a kind an organization may keep, and how many bytes; null: as the settings say, undefined: as before. A
 * limit below what is there deletes nothing: further files are refused.
 */
export async function setFileQuota(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  kind: FileKind,
  wanted: { readonly filesMax?: number | null; readonly bytesMax?: number | null },
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(
    organization,
    async (tx) => {
      const [, [row]] = await tx.run(...lockedQuota(kind));
      const former = { filesMax: row!.files_max, bytesMax: row!.bytes_max };
      const { filesMax = former.filesMax, bytesMax = former.bytesMax } = wanted;
      const told = changesOf(former, { filesMax, bytesMax });
      if (told === null) return;
      tx.queue(setQuota({ kind, filesMax, bytesMax }));
      await announce(tx, context, origin, nowMs, {
        event: 'organization.operated',
        subjectType: 'organization',
        subjectId: organization,
        payload: {},
        details: { kind, ...told },
      });
    },
    { countsAsChange: false },
  );
}
