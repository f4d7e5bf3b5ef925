import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { DocumentMime, DocumentStatus, DocumentType } from './document-types.ts';

/** All SQL on customers' documents. */

export const documentsPerPage = 50;

/** A document as responses show it; moments are milliseconds since the epoch. */
export interface DocumentRow {
  id: number;
  user_id: number;
  type: DocumentType;
  mime: DocumentMime;
  byte_count: number;
  status: DocumentStatus;
  expires_on: string | null;
  review_reason: string | null;
  reviewed_at: number | null;
  uploaded_at: number;
  superseded_at: number | null;
  /** When its retention ends. */
  kept_until: number;
}

/** The data that opens its file. */
interface SealedDocumentRow extends DocumentRow {
  file_name: string;
  master_key_id: string;
  wrapped_key: Buffer;
}

const shownColumns = `d.id, d.user_id, d.type, d.mime, d.byte_count, d.status, d.expires_on::text as expires_on,
          d.review_reason, d.reviewed_at, d.uploaded_at, d.superseded_at,
          d.uploaded_at + make_interval(days => o.document_retention_days) as kept_until`;
const sealedColumns = `${shownColumns}, d.file_name, d.master_key_id, d.wrapped_key`;

/** A document exists until its retention ends or its customer is erased, even if it is deleted later. */
const retained = `from customer_documents d
     join organizations o on o.id = d.organization_id
     join customers c on c.organization_id = d.organization_id and c.id = d.user_id and c.erased_at is null
    where d.organization_id = :organizationId and d.user_id = :customerId
      and d.uploaded_at > :at::timestamptz - make_interval(days => o.document_retention_days)`;

/** How many there are, up to the bound of counting. */
export const countDocumentsOfCustomer = statement<{ customerId: number; at: string }, { count: number }>(
  'count_documents_of_customer',
  countOfRows(`select ${retained}`),
);

/** Bounded: the documents of one customer. */
export const documentList = sortedList<
  DocumentRow,
  'uploadedAt' | 'type' | 'status' | 'expiresOn' | 'reviewedAt'
>({
  name: 'list_documents_of_customer',
  rows: retained,
  ids: ['d.id'],
  cursor: 'd.id = :startingAfter',
  sorts: {
    uploadedAt: { key: 'd.uploaded_at', own: 'descending' },
    type: { key: 'd.type collate "C"', own: 'ascending' },
    status: { key: 'd.status collate "C"', own: 'ascending' },
    expiresOn: { key: 'd.expires_on', own: 'ascending', isNullable: true },
    reviewedAt: { key: 'd.reviewed_at', own: 'descending', isNullable: true },
  },
  rowsPerPage: documentsPerPage,
  show: (page) => `select ${shownColumns} from ${page}
     join customer_documents d on d.organization_id = :organizationId and d.id = page.id0
     join organizations o on o.id = :organizationId`,
});

export const selectDocument = statement<{ customerId: number; id: number; at: string }, SealedDocumentRow>(
  'select_document',
  `select ${sealedColumns} ${retained} and d.id = :id`,
);

/** Locked after the customer, always in this order. */
export const lockDocument = statement<{ customerId: number; id: number; at: string }, SealedDocumentRow>(
  'lock_document',
  `select ${sealedColumns} ${retained} and d.id = :id for no key update of d`,
);

/**
 * Marks earlier documents of the same type as superseded. Concurrent uploads of the same type wait for each other at
 * the lock on the customer.
 */
export const supersedeDocuments = statement<{ customerId: number; type: string; at: string }, { id: number }>(
  'supersede_documents',
  `update customer_documents set superseded_at = :at
    where organization_id = :organizationId and user_id = :customerId and type = :type and superseded_at is null
    returning id`,
);

export const insertDocuments = insertMany<{
  id: number;
  customerId: number;
  type: DocumentType;
  mime: DocumentMime;
  byteCount: number;
  fileName: string;
  masterKeyId: string;
  wrappedKey: Uint8Array;
  status: DocumentStatus;
  uploadedAt: string;
  uploadedBy: string;
}>('customer_documents', {
  id: 'id',
  customerId: 'user_id',
  type: 'type',
  mime: 'mime',
  byteCount: 'byte_count',
  fileName: 'file_name',
  masterKeyId: 'master_key_id',
  wrappedKey: 'wrapped_key',
  status: 'status',
  uploadedAt: 'uploaded_at',
  uploadedBy: 'uploaded_by',
});

export const updateReview = statement<
  {
    id: number;
    status: DocumentStatus;
    expiresOn: string | null;
    reason: string | null;
    by: string;
    at: string;
  },
  never
>(
  'update_document_review',
  `update customer_documents
      set status = :status, expires_on = :expiresOn, review_reason = :reason, reviewed_by = :by, reviewed_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** The expiry of the latest other approved document of the type. */
export const selectFormerExpiry = statement<
  { customerId: number; id: number; type: string },
  { expires_on: string }
>(
  'select_former_document_expiry',
  `select expires_on::text as expires_on from customer_documents
    where organization_id = :organizationId and user_id = :customerId and id <> :id and type = :type
      and status = 'approved'
    order by uploaded_at desc, id desc limit 1`,
);

/** The time zone of expiry dates. */
export const selectTimeZoneOfShop = statement<Record<never, never>, { tz: string }>(
  'select_time_zone_of_shop',
  'select tz from organizations where id = :organizationId',
);

/** So many documents, with their files, go in one step. */
export const documentsAtOnce = 100;

/**
 * Documents whose retention has ended, copies of IDs that are older than the law lets a shop keep them (null: no bound), and those of erased
 * customers; oldest first. It runs hourly and may scan the
 * table.
 */
export const selectExpiredDocuments = statement<
  { at: string; idKeptDays: number | null },
  { id: number; user_id: number; type: DocumentType; file_name: string }
>(
  'select_expired_documents',
  `select d.id, d.user_id, d.type, d.file_name
     from customer_documents d
     join organizations o on o.id = d.organization_id
     join customers c on c.organization_id = d.organization_id and c.id = d.user_id
    where d.organization_id = :organizationId
      and (c.erased_at is not null
        or d.uploaded_at <= :at::timestamptz - make_interval(days => o.document_retention_days)
        or (d.type = 'license' and d.uploaded_at <= :at::timestamptz - make_interval(days => :idKeptDays::integer)))
    order by d.uploaded_at, d.id limit ${documentsAtOnce}`,
);

export const deleteDocuments = statement<{ ids: readonly number[] }, { id: number }>(
  'delete_documents',
  `delete from customer_documents where organization_id = :organizationId and id = any(:ids::bigint[])
    returning id`,
);

/** Documents whose key another master key wraps, in batches. */
export const lockDocumentsOfOtherKeys = statement<
  { masterKeyId: string },
  { id: number; master_key_id: string; wrapped_key: Buffer }
>(
  'lock_documents_of_other_keys',
  `select id, master_key_id, wrapped_key from customer_documents
    where organization_id = :organizationId and master_key_id <> :masterKeyId
    order by id limit 500 for no key update`,
);

/**
 * For each master key in use, the documents with the three lowest ids. The index is entered once for each master key,
 * whatever the number of documents.
 */
export const selectSamplesOfMasterKeys = statement<
  Record<never, never>,
  { id: number; master_key_id: string; wrapped_key: Buffer }
>(
  'select_samples_of_master_keys',
  `with recursive used (master_key_id) as (
     select min(master_key_id) from customer_documents where organization_id = :organizationId
     union all
     select (select min(d.master_key_id) from customer_documents d
              where d.organization_id = :organizationId and d.master_key_id > used.master_key_id)
       from used where used.master_key_id is not null
   )
   select sample.id, sample.master_key_id, sample.wrapped_key
     from used
    cross join lateral (
      select id, master_key_id, wrapped_key from customer_documents
       where organization_id = :organizationId and master_key_id = used.master_key_id
       order by id limit 3) sample`,
);

export const updateWrappedKey = statement<{ id: number; masterKeyId: string; wrappedKey: Uint8Array }, never>(
  'update_wrapped_document_key',
  `update customer_documents set master_key_id = :masterKeyId, wrapped_key = :wrappedKey
    where organization_id = :organizationId and id = :id`,
);

/** Present documents that wait for their review, and whose is the oldest. */
export const selectDocumentsToReview = statement<
  Record<never, never>,
  { count: number; oldest_at: number | null; customer_id: number | null }
>(
  'select_documents_to_review',
  `select count(*)::integer as count, min(d.uploaded_at) as oldest_at,
          (array_agg(d.user_id order by d.uploaded_at, d.id))[1] as customer_id
     from customer_documents d
    where d.organization_id = :organizationId and d.superseded_at is null and d.status = 'pending'`,
);
