import { api, dataOf } from '../../api.ts';

/** One customer with order totals. Query keys of all their data begin with this one. */
export function customerQuery(customerId: number) {
  return {
    queryKey: ['customers', customerId],
    queryFn: () => dataOf(api.GET('/staff/v1/customers/{customerId}', { params: { path: { customerId } } })),
  };
}
