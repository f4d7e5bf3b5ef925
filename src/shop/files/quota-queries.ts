import { statement } from '../../platform/statements/statement.ts';
import type { FileKind } from './file-limits.ts';

/** All SQL on quotas of files. */

export interface FileUseRow {
  kind: FileKind;
  files: number;
  bytes: number;
  /** Null: that of the settings. */
  files_max: number | null;
  bytes_max: number | null;
}

const used = {
  photos: `select count(*) as files, coalesce(sum(byte_count), 0) as bytes from product_photos
            where organization_id = :organizationId and location like '/%'`,
  documents: `select count(*) as files, coalesce(sum(byte_count), 0) as bytes from customer_documents
            where organization_id = :organizationId`,
} as const;

const useOf = (kind: FileKind) => `select '${kind}' as kind, u.files, u.bytes, q.files_max, q.bytes_max
     from (${used[kind]}) u
     left join file_quotas q on q.organization_id = :organizationId and q.kind = '${kind}'`;

/** What is kept of one kind, and the organization's own limits. All its rows are read: an upload is rare and dear anyway. */
export const selectUseOf = {
  photos: statement<Record<never, never>, FileUseRow>('select_use_of_photos', useOf('photos')),
  documents: statement<Record<never, never>, FileUseRow>('select_use_of_documents', useOf('documents')),
} as const;

export const selectFileUses = statement<Record<never, never>, FileUseRow>(
  'select_file_uses',
  `${useOf('photos')} union all ${useOf('documents')}`,
);

const addQuota = statement<{ kind: FileKind }, never>(
  'add_file_quota',
  `insert into file_quotas (organization_id, kind) values (:organizationId, :kind)
    on conflict (organization_id, kind) do nothing`,
);

const lockQuota = statement<{ kind: FileKind }, { files_max: number | null; bytes_max: number | null }>(
  'lock_file_quota',
  `select files_max, bytes_max from file_quotas
    where organization_id = :organizationId and kind = :kind for no key update`,
);

/** The row is there and locked until the transaction ends; what a later statement counts is then exact. */
export const lockedQuota = (kind: FileKind) => [addQuota({ kind }), lockQuota({ kind })] as const;

export const setQuota = statement<
  { kind: FileKind; filesMax: number | null; bytesMax: number | null },
  never
>(
  'set_file_quota',
  `update file_quotas set files_max = :filesMax, bytes_max = :bytesMax
    where organization_id = :organizationId and kind = :kind`,
);
