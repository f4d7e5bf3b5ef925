import { randomBytes } from 'node:crypto';
import { organizationRoutes } from './access/organization-routes.ts';
import { categoryRoutes } from './catalog/category-routes.ts';
import type { Context } from './database/context.ts';
import type { ConnectionConfig } from './database/database.ts';
import { Database } from './database/database.ts';
import { IdSource } from './database/id-source.ts';
import type { Endpoint } from './http/endpoint.ts';
import { buildOpenApi } from './http/openapi.ts';
import { locationRoutes } from './inventory/location-routes.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { menuRoutes } from './menus/menu-routes.ts';
import { orderRoutes } from './orders/order-routes.ts';
import { paymentTypeRoutes } from './settings/payment-type-routes.ts';

/** The version of the interface description; grows by addition (D61). */
export const interfaceVersion = '1.0.0';

/** What every write and read works with. `close` ends the connections. */
export function createContext(connection: ConnectionConfig, clock: Clock = systemClock): Context {
  const database = new Database(connection);
  return { database, ids: new IdSource(database), clock, randomBytes };
}

/** Every operation of the interface: the one list that router, contract, tests and documents are made from. */
export function allEndpoints(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  return [
    ...menuRoutes(context, photoUrl),
    ...categoryRoutes(context),
    ...orderRoutes(context),
    ...paymentTypeRoutes(context),
    ...locationRoutes(context),
    ...organizationRoutes(context),
  ];
}

/** The OpenAPI document of these operations; addresses as they are by default. */
export function describeInterface(endpoints: readonly Endpoint[], urls = defaultUrls): object {
  return buildOpenApi(endpoints, {
    title: 'Dispensary Commerce',
    version: interfaceVersion,
    description: interfaceDescription,
    baseUrl: urls.baseUrl,
    menuUrl: urls.menuUrl,
    tags: tagDescriptions,
  });
}

const tagDescriptions = {
  Menu: 'What can be bought, at the menu address',
  Orders: 'Pricing carts, placing orders, reading them',
  Catalog: 'Categories and sub-categories',
  Inventory: 'Where stock lies',
  Settings: 'The terms of sale',
  Organization: 'The retailer behind the client key',
};

const defaultUrls = { baseUrl: 'http://127.0.0.1:8080', menuUrl: 'http://127.0.0.1:8081' };

const interfaceDescription = `Price carts, place orders and read the data of a cannabis retailer.

Every operation needs two headers: \`X-Consumer-Key\` (the integrator's) and \`X-Client-Key\` (issued by the
organization for that integrator; it selects the organization). Money is integer cents. Timestamps are ISO 8601
in UTC. A success carries its payload under \`data\`; a refusal is \`{error: {message, code, meta?}}\`. v1 grows
by addition only.`;
