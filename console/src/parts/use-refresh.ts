import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const refreshMs = 5_000;

/** Reads a resource without live events again every few seconds, while it is on screen. */
export function useRefresh(resource: string, isOn = true): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: [resource] });
    }, refreshMs);
    return () => clearInterval(timer);
  }, [resource, isOn, queryClient]);
}
