import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';

const people = Buffer.from('firstName,lastName,email\nMara,Quill,mara@customers.example.com\n');

/** One file at a time: that of another request has been read. */
function endRuns({ context }: TestService, { organizationId }: TestShop) {
  const text = `update move_files set status = 'failed' where status = 'loading'`;
  return tenantSql(context.database, organizationId, text);
}

/** What operations on files of a move need before each request. */
export const moveFilePreparations = {
  uploadMoveFile: async () => ({ body: people }),
  runMoveFile: async (service: TestService, { shop }: { readonly shop: TestShop }) => {
    await endRuns(service, shop);
    return {};
  },
  mapMoveFile: async (service: TestService, { shop }: { readonly shop: TestShop }) => {
    await endRuns(service, shop);
    return { body: { mapping: null } };
  },
  tryMove: async (service: TestService, { shop }: { readonly shop: TestShop }) => {
    await endRuns(service, shop);
    const owner = await service.staff(shop);
    const path = '/staff/v1/move/files?kind=customers&fileName=people.csv';
    await owner.call('POST', path, people, { headers: { 'content-type': 'application/octet-stream' } });
    return {};
  },
};
