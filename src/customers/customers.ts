/**
 * Front door of customers. Owns the table `customers`. One person per normalized email and per normalized
 * phone (D32, D33), held by unique constraints. Does not know orders.
 */
export {
  type CustomerRow,
  customerUniqueConstraints,
  insertCustomers,
  selectMatchingCustomers,
} from './customer-queries.ts';
export { type ImportedCustomer, importCustomers } from './import-customers.ts';
export {
  chooseCustomer,
  type IdentifiedCustomer,
  identifyCustomer,
  type PresentedCustomer,
  rememberCustomer,
} from './match-customer.ts';
