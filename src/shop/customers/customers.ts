/**
 * Front door of customers. Owns customers, their groups, and the codes and sessions by which they sign in (D62). A unique constraint keeps one customer per
 * normalized email; a phone may belong to several people (D32, D33, D85). Customers does not know orders; promotions changes the points.
 */
export { addLoyaltyEvent } from './add-loyalty-event.ts';
export { adjustLoyaltyPoints } from './adjust-loyalty-points.ts';
export { selectCaregiver } from './caregivers.ts';
export { codeAgeMsMax, eraseCustomerCodes } from './customer-codes.ts';
export { digestOfCustomers } from './customer-digest.ts';
export { lockCustomerExpiry, selectCustomerIsThere } from './customer-expiry-queries.ts';
export { customerGroups } from './customer-group-setting.ts';
export { drawHashId, isPhone } from './customer-identity.ts';
export { selectCustomerIdsAfter } from './customer-ids.ts';
export {
  customerColumns,
  customerUniqueConstraints,
  lockCustomer,
  lockCustomersOfContacts,
  lockMatchingCustomers,
  selectMatchingCustomers,
} from './customer-queries.ts';
export { seekCustomers } from './customer-search.ts';
export { foundCustomers, matchesMax, selectCustomerDetail } from './customer-search-queries.ts';
export {
  deleteEndedCustomerSessions,
  deleteOldCodes,
  hasProvenContact,
} from './customer-session-queries.ts';
export { provenContact } from './customer-sessions.ts';
export { customerErased, customerNotFound } from './find-customer.ts';
export { selectBuyersOfFormerSales } from './former-accounts.ts';
export { importCustomerGroups } from './import-customer-groups.ts';
export {
  customerRowKeys,
  exportedCustomer,
  importCustomerRows,
  readCustomerRow,
} from './import-customer-rows.ts';
export { importCustomers } from './import-customers.ts';
export {
  chooseCustomer,
  fullNameOf,
  identifyCustomer,
  identifyPerson,
  rememberCustomer,
  withoutPlaceholders,
} from './match-customer.ts';
export { openPatientNumber, resealPatientNumbers } from './patient-number.ts';
export { pruneLicenses } from './prune-licenses.ts';
export { recordExpiry } from './record-expiry.ts';
export { staffCustomerDetail } from './shown-customer.ts';
export { shownCustomersById } from './shown-customers-by-id.ts';
export { assertMayExempt, exemptionRoles } from './tax-exemption.ts';
export {
  eraseProfile,
  lockWholeCustomers,
  mergeProfiles,
  selectMergedInto,
  selectPersonForExport,
} from './whole-customer.ts';
