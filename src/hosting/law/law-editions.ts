/**
 * Front door of law: the edition of legal facts that is in force. Owns law_editions and law_releases. An edition is read, checked,
 * signed and replaced as a whole; it never changes. `jurisdictions` contains the facts, and `orders` applies them to a
 * cart. Law does not change an organization's taxes: its owner applies the preset again.
 */
export { editionSchema, readEdition } from './edition-schema.ts';
export { findSigner, keyIdOf, makeSigningKey, signEdition } from './edition-signature.ts';
export {
  editionBytes,
  editionText,
  followLaw,
  readEditionInForce,
  takeUpLaw,
  UnreadableEdition,
} from './follow-law.ts';
export { checkedEdition, EditionRefused, importEdition, planImport } from './import-edition.ts';
export { findLawFaults } from './law-faults.ts';
export { takeUpRelease } from './take-up-release.ts';
