import { statement } from '../../platform/statements/statement.ts';

/** The rows that have files, in pages by id. */

const filesPerPage = 100;

export interface SealedFileRow {
  id: number;
  byte_count: number;
  file_name: string;
  master_key_id: string;
  wrapped_key: Buffer;
}

export const selectSealedFiles = statement<{ after: number }, SealedFileRow>(
  'verify_select_documents',
  `select id, byte_count, file_name, master_key_id, wrapped_key from customer_documents
    where organization_id = :organizationId and id > :after order by id limit ${filesPerPage}`,
);

/** The latest ones, for a verification that has little time. */
export const selectLatestSealedFiles = statement<{ limit: number }, SealedFileRow>(
  'verify_select_latest_documents',
  `select id, byte_count, file_name, master_key_id, wrapped_key from customer_documents
    where organization_id = :organizationId order by id desc limit :limit`,
);

export const selectStoredPhotos = statement<{ after: number }, { id: number; location: string }>(
  'verify_select_photos',
  `select id, location from product_photos
    where organization_id = :organizationId and id > :after and location like '/photos/%'
    order by id limit ${filesPerPage}`,
);
