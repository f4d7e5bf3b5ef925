import { api, dataOf } from '../api.ts';

/** What needs attention, within the role. Also read each minute: some kinds come about by time alone. */
export const attentionQuery = {
  queryKey: ['attention'],
  queryFn: () => dataOf(api.GET('/staff/v1/attention')),
  refetchInterval: 60_000,
};
