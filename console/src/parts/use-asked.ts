import { useEffect } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Opens a dialog because the address asks for it: `?do=new`. The address forgets it at once, so neither Back nor a reload opens it
 * again.
 */
export function useAsked(asked: string, open: () => void): void {
  const [parameters, setParameters] = useSearchParams();
  const isAsked = parameters.get('do') === asked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what opens it is new on every render
  useEffect(() => {
    if (!isAsked) return;
    open();
    setParameters(
      (present) => {
        present.delete('do');
        return present;
      },
      { replace: true },
    );
  }, [isAsked]);
}
