import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

export const offlineSettingsQuery = queryOptions({
  queryKey: ['offline-sale-settings'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/offline-sale-settings', { signal })),
});

/** The sales that are flagged and not settled, the latest first: a page of them, until some are settled. */
export const salesToReviewQuery = queryOptions({
  queryKey: ['offline-sales', 'to-review'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/staff/v1/offline-sales', { params: { query: { needsReview: true } }, signal })),
});
