import type { OrganizationId } from '../../src/kernel/ids.ts';
import { menuImporting } from '../../src/shop/imports/imports.ts';
import { tenantSql } from './tenant-sql.ts';
import type { TestService } from './test-service.ts';

/** Does what the imports of menus of an organization wait for, as a worker would. */
export async function runMenuJobs(
  { context }: Pick<TestService, 'context'>,
  organization: OrganizationId,
  signal = new AbortController().signal,
): Promise<void> {
  const running = await tenantSql(
    context.database,
    organization,
    `select id, run_number as run from menu_imports where status in ('checking', 'importing', 'undoing') order by id`,
  );
  for (const { id, run } of running) {
    const payload = { menuImportId: Number(id), run: Number(run) };
    await menuImporting(context).run({ organization, payload, signal });
  }
}
