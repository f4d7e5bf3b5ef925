import { useSearchParams } from 'react-router';

/** Filters of a list, stored in the query string: links and Back work. Empty filters are left out. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Readonly<Partial<Record<Name, string>>>, (changes: Partial<Record<Name, string | null>>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<Name, string>>;
  const change = (changes: Partial<Record<Name, string | null>>) =>
    setParameters(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return [filters, change];
}
