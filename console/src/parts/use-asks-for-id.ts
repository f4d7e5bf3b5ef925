import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api.ts';

/** The duties of the shop's state, and what the owner has set. */
export const dutiesQuery = {
  queryKey: ['duties'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/staff/v1/duties', { signal })),
};

/** Whether the law or the shop asks for an ID before cannabis is paid and handed over; false until that is known. */
export function useAsksForId(): boolean {
  const { data } = useQuery({ ...dutiesQuery, staleTime: 300_000 });
  if (data === undefined) return false;
  const isLaw = data.duties.some(({ duty, standing }) => duty === 'idCheck' && standing === 'enforced');
  return data.idCheck || (isLaw && !data.isPractice);
}
