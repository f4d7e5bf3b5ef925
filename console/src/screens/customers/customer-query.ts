import { api, dataOf } from '../../api.ts';

/** One customer with sums over the orders; keys of all that belongs to them begin with this one. */
export function customerQuery(customerId: number) {
  return {
    queryKey: ['customers', customerId],
    queryFn: () => dataOf(api.GET('/staff/v1/customers/{customerId}', { params: { path: { customerId } } })),
  };
}
