/**
 * The client of integrators, for browsers and Node. It has no dependencies. `mirror()`, which keeps a local copy of a shop,
 * is for Node alone and has its own entry: `mirror/mirror-sdk.ts`.
 */
export {
  type Answer,
  type ClientOptions,
  type CommerceClient,
  createClient,
  type Query,
  type RequestOptions,
} from './client.ts';
export { CommerceError, type ErrorFacts } from './commerce-error.ts';
