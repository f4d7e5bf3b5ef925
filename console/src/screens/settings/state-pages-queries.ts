import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

export const stateConnectionsQuery = queryOptions({
  queryKey: ['state-connections'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/state-connections', { signal })),
});

/** How each state is reported to; it does not change while the console is open. */
export const stateSystemsQuery = queryOptions({
  queryKey: ['state-systems'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/state-systems', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What the state is not known to have, the latest first: a page of it, until some is settled. */
export const openReportsQuery = queryOptions({
  queryKey: ['state-reports', 'open'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/staff/v1/state-reports', { params: { query: { isOpen: true } }, signal })),
});

export const stateDifferencesQuery = queryOptions({
  queryKey: ['state-reports', 'differences'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/state-differences', { signal })),
});

/** The last comparisons with the state. */
export const stateComparisonsQuery = queryOptions({
  queryKey: ['state-reports', 'comparisons'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/state-comparisons', { signal })),
});

/** What a license without an interface has to file, up to today. */
export function stateFilingQuery(stateConnectionId: number) {
  return queryOptions({
    queryKey: ['state-reports', 'filing', stateConnectionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/state-connections/{stateConnectionId}/filing', {
          params: { path: { stateConnectionId } },
          signal,
        }),
      ),
  });
}

/** One report with its life. */
export function stateReportQuery(stateReportId: number) {
  return queryOptions({
    queryKey: ['state-reports', stateReportId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/state-reports/{stateReportId}', { params: { path: { stateReportId } }, signal }),
      ),
  });
}

/** Transfers of the first page, the newest, with packages that are not received. */
export const comingTransfersQuery = queryOptions({
  queryKey: ['compliance-transfers', 'coming'],
  queryFn: async ({ signal }) =>
    (await dataOf(api.GET('/staff/v1/compliance-transfers', { signal }))).filter(({ packages }) =>
      packages.some(({ status }) => status === 'ready'),
    ),
});
