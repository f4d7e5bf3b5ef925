import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, dataOf, type Schema } from '../api.ts';
import { readAgain } from '../parts/read-again.ts';
import { useLive } from '../parts/use-live.ts';
import { useCan } from '../session/session.tsx';

type FirstSteps = Schema['FirstSteps'];

/** What a new shop still lacks. */
export const firstStepsQuery = {
  queryKey: ['first-steps'],
  queryFn: () => dataOf(api.GET('/staff/v1/first-steps')),
};

/** What makes or undoes a step. */
const resources = [
  'organization',
  'taxes',
  'inventory-locations',
  'payment-types',
  'product-categories',
  'products',
  'inventory',
  'packages',
  'menu-imports',
  'staff',
  'registers',
  'client-keys',
];

/** The first steps, for owners; undefined for others, and until they are read. */
export function useFirstSteps(): FirstSteps | undefined {
  return useQuery({ ...firstStepsQuery, enabled: useCan('getFirstSteps') }).data;
}

/** Keeps the number in the navigation true while steps are open: each change of the shop reads them again. */
export function FirstStepsWatch(): null {
  const client = useQueryClient();
  const reread = useCallback(() => readAgain(client, firstStepsQuery, 'shown'), [client]);
  useLive(resources, reread);
  return null;
}
