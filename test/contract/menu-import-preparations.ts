import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import type { Preparation } from './factor-preparations.ts';

export const menuFile = Buffer.from('Item,Type,Size,Price\nMoonlit Grove,Flower,1g,$12.00\n');

/** One run at a time: the run of another request has ended. */
function endRuns({ context }: TestService, { organizationId }: TestShop) {
  const text = `update menu_imports set status = 'failed' where status in ('checking', 'importing', 'undoing')`;
  return tenantSql(context.database, organizationId, text);
}

/** What operations on imports of a menu need before each request. */
export const menuImportPreparations: Readonly<Record<string, Preparation>> = {
  staffUploadMenu: async () => ({ body: menuFile }),
  staffRunMenuImport: async (service, { shop }) => {
    await endRuns(service, shop);
    return {};
  },
  staffUndoMenuImport: async (service, { shop }, { params }) => {
    await endRuns(service, shop);
    const asShop = [service.context.database, shop.organizationId] as const;
    // In two steps: several servers take no aggregate as a value.
    const [latest] = await tenantSql(
      ...asShop,
      `select (coalesce(max(started_at), now()) + interval '1 second')::text as at from menu_imports`,
    );
    await tenantSql(
      ...asShop,
      `update menu_imports set status = 'done', started_at = $2 where id = $1`,
      Number(params.menuImportId),
      latest!.at,
    );
    return {};
  },
};
