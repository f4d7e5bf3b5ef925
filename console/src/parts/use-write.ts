import {
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useRef } from 'react';

export interface WriteOptions<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  /** What it is about: two that are about different things may be under way at once. Else there is one at a time. */
  readonly about?: (variables: Variables) => unknown;
}

/**
 * As `useMutation`, for whatever a button, a switch or a form begins: while it is under way it is not begun again, however
 * quickly somebody clicks. `isPending` alone cannot tell: it is known to a click only once the page is drawn anew.
 */
export function useWrite<Data, Variables = void>({
  about,
  ...options
}: WriteOptions<Data, Variables>): UseMutationResult<Data, Error, Variables> {
  const write = useMutation(options);
  const underWay = useRef(new Set<unknown>());
  const mutate: UseMutateFunction<Data, Error, Variables> = (...[given]) => {
    // Left out where there are none.
    const variables = given as Variables;
    const thing = about?.(variables);
    if (underWay.current.has(thing)) return;
    underWay.current.add(thing);
    // Until what came of it is drawn: a click before that was meant for what stood there.
    const end = () => requestAnimationFrame(() => underWay.current.delete(thing));
    write.mutateAsync(variables).then(end, end);
  };
  return { ...write, mutate };
}
