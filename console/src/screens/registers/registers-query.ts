import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';

export type Register = Schema['Register'];
export type DrawerReport = Schema['DrawerReport'];

/** All registers with their open sessions, archived ones included. */
export const registersQuery = queryOptions({
  queryKey: ['registers'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/registers', { signal })),
});

/** The X or Z report of a session. */
export const drawerQuery = (drawerSessionId: number) =>
  queryOptions({
    queryKey: ['drawer-sessions', drawerSessionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/drawer-sessions/{drawerSessionId}', {
          params: { path: { drawerSessionId } },
          signal,
        }),
      ),
  });
