/**
 * Front door of the log of requests that integrators and staff read (D69). Owns api_request_batches, api_request_marks and
 * api_request_kinds. Keeps no body and no personal data.
 */
export { registerApiRequestMetrics } from './api-request-metrics.ts';
export { apiRequestAgeMsMax } from './api-request-queries.ts';
export { ApiRequests } from './api-requests.ts';
export { purgeApiRequests } from './purge-api-requests.ts';
