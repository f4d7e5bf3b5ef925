import type { Context } from '../database/context.ts';
import type { Caller } from '../http/endpoint.ts';
import { selectOrderOfIntegratorFor } from './order-list-queries.ts';

/** Tells whether an integrator has placed an order of a customer: its reply told the customer's id. */
export function hasPlacedOrderOf({ database }: Pick<Context, 'database'>) {
  return async ({ organizationId, integratorId }: Caller, customerId: number): Promise<boolean> => {
    const statement = selectOrderOfIntegratorFor({ integratorId, customerId });
    const [[order]] = await database.read(organizationId, statement);
    return order !== undefined;
  };
}
