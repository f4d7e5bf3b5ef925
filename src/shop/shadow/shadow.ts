/**
 * Front door of the shadow (D109): carts that another system has charged, priced with today's settings, and every cent of difference with
 * its cause. Owns no table and writes nothing. Does not decide which system is right.
 */
export { type ShadowedSale, shadowSales, summaryOf } from './shadow-sales.ts';
export { shadowStaffRoutes } from './shadow-staff-routes.ts';
