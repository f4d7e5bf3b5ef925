import Type from 'typebox';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { idKeptDays } from '../../engines/duties/kept-papers.ts';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { customerNotFound, selectCustomerIsThere } from '../customers/customers.ts';
import {
  countDocumentsOfCustomer,
  type DocumentRow,
  documentList,
  documentsPerPage,
  selectDocument,
} from './document-queries.ts';
import {
  type DocumentMime,
  documentBytesMax,
  documentMimes,
  documentStatuses,
  documentTypes,
} from './document-types.ts';
import { reviewDocument } from './review-document.ts';
import { viewDocument } from './view-document.ts';

const CustomerDocument = Named(
  'CustomerDocument',
  Type.Object({
    id: Id(),
    customerId: Id(),
    type: OneOf(documentTypes),
    mime: OneOf(documentMimes),
    bytes: WholeNumber({ min: 1, max: documentBytesMax }),
    status: OneOf(documentStatuses),
    expiresOn: Nullable(LocalDate({ description: 'As staff read it; the last valid day' })),
    reviewReason: Nullable(Text({ max: 500 })),
    reviewedAt: Nullable(Timestamp()),
    uploadedAt: Timestamp(),
    supersededAt: Nullable(Timestamp({ description: 'When a newer one of the same type was uploaded' })),
    keptUntil: Timestamp({ description: 'When its retention ends and it is deleted' }),
  }),
);

const example = {
  id: 7101,
  customerId: 3101,
  type: 'recommendation',
  mime: 'image/jpeg',
  bytes: 184_213,
  status: 'approved',
  expiresOn: '2027-01-31',
  reviewReason: null,
  reviewedAt: '2026-03-10T18:04:00.000Z',
  uploadedAt: '2026-03-10T17:05:09.123Z',
  supersededAt: null,
  keptUntil: '2029-03-09T17:05:09.123Z',
} as const;

const roles = ['owner', 'manager', 'budtender'] as const;
const documentParams = Type.Object({ customerId: Id(), documentId: Id() });
const resourceParams = { customerId: 'USER_NOT_FOUND', documentId: 'DOCUMENT_NOT_FOUND' } as const;
const decisions = ['approved', 'rejected'] as const;

/** Staff operations on customers' documents. */
export function documentStaffRoutes(context: Context, files: SealedFiles): StaffEndpoint[] {
  const { database, clock } = context;
  return [
    staffEndpoint({
      id: 'listCustomerDocuments',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/documents',
      roles,
      kind: 'read',
      readsFrom: 'standby',
      list: { notInConsole: { reviewedAt: 'the table shows the day of the upload and the last valid one' } },
      summary: 'List customer documents',
      description: `The customer's stored documents, ${documentsPerPage} a page, newest first unless sorted, including rejected and superseded ones.`,
      tag: 'Customers',
      params: Type.Object({ customerId: Id() }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      query: Type.Object({
        ...sortFields(documentList.sorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'Document id; the page starts after it' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(CustomerDocument, { max: documentsPerPage }),
        meta: ListTotal,
        description: 'A page of documents',
        example: [example],
        metaExample: listTotalExample,
      },
      failures: ['USER_NOT_FOUND', 'INVALID_CURSOR'],
      handle: async ({ staff, params: { customerId }, query }) => {
        const { organizationId } = staff;
        const { startingAfter } = query;
        const at = isoTimestamp(clock.now());
        const [[customer], [after]] = await database.read(
          organizationId,
          selectCustomerIsThere({ id: customerId }),
          startingAfter === undefined ? null : selectDocument({ customerId, id: startingAfter, at }),
        );
        if (customer === undefined) throw customerNotFound();
        if (startingAfter !== undefined && after === undefined) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of a document of this customer.');
        }
        const [[shop], [counted], rows] = await database.read(
          organizationId,
          selectOrganization({}),
          countDocumentsOfCustomer({ customerId, at }),
          documentList.page(query, { customerId, at }),
        );
        return reply(
          rows.map((row) => shown(row, context, shop)),
          { meta: totalOf(counted!.count) },
        );
      },
    }),
    staffEndpoint({
      id: 'viewCustomerDocument',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/documents/{documentId}/file',
      roles,
      // The read is audited.
      kind: 'write',
      recentProof: 'always',
      summary: 'View a customer document',
      description:
        'The file itself, without metadata such as the place where a picture was taken. Each read is audited before the first byte is sent. A PDF is sent as a download, because an opened PDF can run code.',
      tag: 'Customers',
      params: documentParams,
      resourceParams,
      success: { status: 200, file: documentMimes, description: 'The file, of the uploaded type' },
      failures: ['USER_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
      handle: async ({ staff, params: { customerId, documentId }, requestId }) => {
        const by = staffOrigin(staff, requestId);
        const file = await viewDocument(context, files, by, staff.organizationId, customerId, documentId);
        const extension = file.mime.slice(file.mime.indexOf('/') + 1);
        return replyFile(file.bytes, file.mime, {
          headers: {
            'content-disposition': `${dispositionOf(file.mime)}; filename="${file.type}-${documentId}.${extension}"`,
          },
        });
      },
    }),
    staffEndpoint({
      id: 'reviewCustomerDocument',
      method: 'POST',
      path: '/staff/v1/customers/{customerId}/documents/{documentId}/review',
      roles,
      kind: 'write',
      summary: 'Review a customer document',
      description:
        "Approves the document: the customer's `licenseExpiry` or `medicalExpiration` becomes `expiresOn`, which decides medical status from the next cart on. Or rejects it: if it had been approved, its date is removed. The last review counts. A superseded document cannot be reviewed.",
      tag: 'Customers',
      params: documentParams,
      resourceParams,
      body: Type.Object({
        decision: OneOf(decisions),
        expiresOn: Type.Optional(
          LocalDate({ description: 'The last valid day, today or later; required to approve' }),
        ),
        reason: Type.Optional(Text({ min: 1, max: 500, description: 'For other staff' })),
      }),
      alsoMissing: (body) => {
        const { decision, expiresOn } = (body ?? {}) as Record<string, unknown>;
        return decision === 'approved' && expiresOn === undefined ? ['expiresOn'] : [];
      },
      requestExample: { decision: 'approved', expiresOn: '2027-01-31' },
      success: { status: 200, data: CustomerDocument, description: 'The document', example },
      failures: ['USER_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'DOCUMENT_SUPERSEDED'],
      handle: async ({ staff, params, body, requestId }) => {
        const { decision, expiresOn = null } = body;
        if (decision === 'rejected' && expiresOn !== null) {
          throw failure('INVALID_PARAMS', 'expiresOn must be left out when decision is rejected.');
        }
        const reason = body.reason?.trim() ?? null;
        if (reason === '') throw failure('INVALID_PARAMS', 'reason must not be blank.');
        const row = await reviewDocument(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          params.customerId,
          params.documentId,
          { decision, expiresOn, reason },
        );
        const [[shop]] = await database.read(staff.organizationId, selectOrganization({}));
        return reply(shown(row, context, shop));
      },
    }),
  ];
}

/**
 * An opened PDF can run scripts, start programs, open addresses and load other files. Searching for the keywords
 * cannot rule this out: they can be in compressed or encrypted parts, or built by code. Ordinary scans also contain
 * some of them, such as the page to open at. So no PDF is refused for it, and the console displays none.
 */
function dispositionOf(mime: DocumentMime): 'attachment' | 'inline' {
  return mime === 'application/pdf' ? 'attachment' : 'inline';
}

/** A copy of an ID is kept as long as the law lets a shop, where that is shorter than what the organization has set. */
function keptUntil(row: DocumentRow, { clock, law }: Pick<Context, 'clock' | 'law'>, shop: Shop): number {
  if (row.type !== 'license' || shop === undefined) return row.kept_until;
  const days = idKeptDays(law.current.find(shop.state), localDateAt(clock.now(), shop.tz));
  return days === null ? row.kept_until : Math.min(row.kept_until, row.uploaded_at + days * dayMs);
}

const dayMs = 86_400_000;
type Shop = Pick<OrganizationRow, 'state' | 'tz'> | undefined;

function shown(row: DocumentRow, context: Pick<Context, 'clock' | 'law'>, shop: Shop) {
  const moment = (ms: number | null): string | null => (ms === null ? null : isoTimestamp(ms));
  return {
    id: row.id,
    customerId: row.user_id,
    type: row.type,
    mime: row.mime,
    bytes: row.byte_count,
    status: row.status,
    expiresOn: row.expires_on,
    reviewReason: row.review_reason,
    reviewedAt: moment(row.reviewed_at),
    uploadedAt: isoTimestamp(row.uploaded_at),
    supersededAt: moment(row.superseded_at),
    keptUntil: isoTimestamp(keptUntil(row, context, shop)),
  };
}
