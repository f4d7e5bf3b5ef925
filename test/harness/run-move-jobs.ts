import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { moveFileLoading } from '../../src/shop/moves/moves.ts';
import { tenantSql } from './tenant-sql.ts';

/** Does what the uploaded files of a move wait for, as a worker would: a trial goes on with the next file. */
export async function runMoveJobs(
  context: Context,
  organization: OrganizationId,
  { signal } = new AbortController(),
): Promise<void> {
  for (;;) {
    const [file] = await tenantSql(
      context.database,
      organization,
      `select id from move_files where status = 'loading'`,
    );
    if (file === undefined) return;
    const payload = { moveFileId: Number(file.id) };
    await moveFileLoading(context).run({ organization, payload, signal });
  }
}
