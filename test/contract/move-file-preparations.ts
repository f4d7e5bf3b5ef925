import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';

/** What uploads of files of a move need before each request. */
export const moveFilePreparations = {
  // One file at a time: that of another request has been read.
  uploadMoveFile: async ({ context }: TestService, { shop }: { readonly shop: TestShop }) => {
    await tenantSql(
      context.database,
      shop.organizationId,
      `update move_files set status = 'failed', content = null where status = 'loading'`,
    );
    return { body: Buffer.from('firstName,lastName,email\nMara,Quill,mara@customers.example.com\n') };
  },
};
