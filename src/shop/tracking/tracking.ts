/**
 * Front door of tracking: the page on which the customer of a delivery follows it, and its address for mails. Owns no table and keeps
 * nothing; it reads what orders and their deliveries say. Only who has the address sees the page.
 */
export { trackingUrl } from './tracking-link.ts';
export { trackingPages } from './tracking-page.ts';
