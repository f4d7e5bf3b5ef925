import { validRequest } from './contract-world.ts';
import type { Refusal } from './refusal.ts';

/** Every attempt of the endpoint to write to the table collides with another transaction. */
export function collision(endpointId: string, table: string): Refusal {
  return {
    endpointId,
    code: 'TRANSACTION_RETRY_EXCEEDED',
    when: 'every attempt collides with another transaction',
    arrange: async ({ collisions }, endpoint) => {
      const tenant = await collisions.on(table, endpoint);
      return { shop: tenant.shop, request: validRequest(endpoint, tenant) };
    },
    message: /try again/,
  };
}
