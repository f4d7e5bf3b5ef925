import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';

/** The webhook endpoints of all integrators, with the events that an endpoint may get. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhook-endpoints'],
  queryFn: async ({ signal }) => {
    const { data } = await api.GET('/staff/v1/webhook-endpoints', { signal });
    return data ?? { data: [], meta: { types: [] } };
  },
});
