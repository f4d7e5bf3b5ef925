/**
 * Front door of customer records: export and erasure of one customer's data in all slices (D32, D76). Owns no table.
 */
export { eraseInactiveCustomers } from './erase-inactive-customers.ts';
