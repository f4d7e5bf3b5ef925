/**
 * Front door of law: which edition of the facts about the law is in force. Owns law_editions. An edition is read, checked
 * and signed as a whole, and takes the place of another one as a whole; it is never changed. What the facts are is in
 * `jurisdictions`, what they do to a cart in `orders`. Does not change the taxes of an organization: its owner applies the
 * preset again.
 */
export { editionSchema, readEdition } from './edition-schema.ts';
export { findSigner, keyIdOf, makeSigningKey, signEdition } from './edition-signature.ts';
export {
  type EditionInForce,
  editionBytes,
  editionText,
  followLaw,
  readEditionInForce,
  takeUpLaw,
  UnreadableEdition,
} from './follow-law.ts';
export {
  type ChangedOrganization,
  checkedEdition,
  type EditionFile,
  EditionRefused,
  type ImportPlan,
  importEdition,
  planImport,
} from './import-edition.ts';
export { findLawFaults, type LawFault } from './law-faults.ts';
