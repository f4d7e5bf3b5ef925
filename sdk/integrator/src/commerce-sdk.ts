/**
 * The client of integrators, for browsers and Node. It has no dependencies. `mirror()`, which keeps a local copy of a shop,
 * is for Node alone and has its own entry: `mirror/mirror-sdk.ts`.
 */
export {
  type CommerceClient,
  type CustomerSessionCalls,
  createClient,
  type OrderCalls,
  type PathClient,
} from './client.ts';
export type { Answer, ClientOptions, CommonOptions, Query, RequestOptions } from './client-options.ts';
export {
  type ClientErrorCode,
  CommerceError,
  type ErrorParts,
  type FactsOf,
  type RefusalCode,
} from './commerce-error.ts';
export type {
  AnswerOf,
  CallOptions,
  DataOf,
  ListId,
  OperationId,
  RowOf,
  Schema,
  ShopEvent,
} from './operation-types.ts';
export type { OrderToPlace, PlacedOrder, PlaceOptions } from './safe-placing.ts';
export type { ShopEvents, ShopEventType } from './shop-events.ts';
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookProblem,
  WebhookRefused,
  type WebhookToVerify,
} from './verify-webhook.ts';
