import { useLayoutEffect } from 'react';

/** At the counter every control has the size for fingers, in dialogs too, which stand outside its screen (`--target-min`). */
export function useLargeTargets(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.counter = '';
    return () => {
      delete root.dataset.counter;
    };
  }, []);
}
