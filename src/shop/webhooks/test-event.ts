/** The event that only a test sends. */
export const testEventType = 'webhook_endpoint.test';
