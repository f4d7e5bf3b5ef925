import {
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useRef } from 'react';

interface WriteOptions<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  /** The subject of a write: writes with different subjects may run at the same time, otherwise only one runs. */
  readonly about?: (variables: Variables) => unknown;
}

/**
 * Like `useMutation`, for buttons, switches and forms: while a write is pending, further clicks are ignored. `isPending` alone
 * is not enough: a click sees it only after the next render.
 */
export function useWrite<Data, Variables = void>({
  about,
  ...options
}: WriteOptions<Data, Variables>): UseMutationResult<Data, Error, Variables> {
  const write = useMutation(options);
  const underWay = useRef(new Set<unknown>());
  const mutate: UseMutateFunction<Data, Error, Variables> = (...[given]) => {
    // Left out if there are no variables.
    const variables = given as Variables;
    const thing = about?.(variables);
    if (underWay.current.has(thing)) return;
    underWay.current.add(thing);
    // Until the result is rendered: an earlier click was meant for the old content.
    const end = () => requestAnimationFrame(() => underWay.current.delete(thing));
    write.mutateAsync(variables).then(end, end);
  };
  return { ...write, mutate };
}
