import type { Context } from '../../platform/database/context.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { selectOrderOfIntegratorFor } from './order-list-queries.ts';

/**
 * Tells whether an integrator has placed an order of a customer: its reply told the customer's id. Of an order whose customer was only claimed it
 * did not, so that a key which does not vouch cannot find out by trying ids whose profile an email opened (D62a).
 */
export function hasPlacedOrderOf({ database }: Pick<Context, 'database'>) {
  return async ({ organizationId, integratorId, vouches }: Caller, customerId: number): Promise<boolean> => {
    const statement = selectOrderOfIntegratorFor({ integratorId, customerId, isProven: !vouches });
    const [[order]] = await database.read(organizationId, statement);
    return order !== undefined;
  };
}
