/**
 * Front door of documents: customers' identity papers and medical recommendations (D40–D42). Owns customer_documents
 * and the sealed files behind it. A file is stored only after it was found to be what it says, and encrypted with a key
 * of its own; nobody gets a byte of it but staff, each time on record. Does not know what a recommendation is good for:
 * what staff read from it goes to customers.
 */

export { findMissingMasterKeys } from './check-master-keys.ts';
export { moveDocuments, selectDocumentsForExport } from './documents-of-customer.ts';
export { purgeDocuments } from './purge-documents.ts';
export { startRetention } from './retention-job.ts';
export { reviewDocument } from './review-document.ts';
export { rewrapDocuments } from './rewrap-documents.ts';
export { uploadDocument } from './upload-document.ts';
