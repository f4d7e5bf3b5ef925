import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';
import { useCan } from '../session/session.tsx';

type FirstSteps = Schema['FirstSteps'];

/** What a new shop still lacks. */
export const firstStepsQuery = {
  queryKey: ['first-steps'],
  queryFn: () => dataOf(api.GET('/staff/v1/first-steps')),
};

/** The first steps, for owners; undefined for others, and until they are read. */
export function useFirstSteps(): FirstSteps | undefined {
  return useQuery({ ...firstStepsQuery, enabled: useCan('getFirstSteps') }).data;
}

/** What the law of the state asks of the shop, and how the shop meets it. */
export const readinessQuery = {
  queryKey: ['readiness'],
  queryFn: () => dataOf(api.GET('/staff/v1/readiness')),
  staleTime: 0,
};
