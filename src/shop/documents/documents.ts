/**
 * Front door of documents: customers' identity papers and medical recommendations (D40–D42). Owns customer_documents
 * and the sealed files behind it. A file is stored only after its type is verified, and encrypted with a key of its
 * own; only staff can read it, and every read is audited. Documents does not know what a recommendation means: the
 * dates that staff read from it go to customers.
 */

export { findMissingMasterKeys } from './check-master-keys.ts';
export { selectDocumentsToReview } from './document-queries.ts';
export { documentBytesMax } from './document-types.ts';
export { moveDocuments, selectDocumentsForExport } from './documents-of-customer.ts';
export { purgeDocuments, purgeSomeDocuments } from './purge-documents.ts';
export { reviewDocument } from './review-document.ts';
export { rewrapDocuments } from './rewrap-documents.ts';
export { fileNameOf, sealLabel, wrappedKeyOf } from './sealed-document.ts';
export { uploadDocument } from './upload-document.ts';
export { viewDocument } from './view-document.ts';
