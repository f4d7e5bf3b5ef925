import { useLayoutEffect, useRef } from 'react';
import { takeScans } from './scanner.ts';

/**
 * Handles scans on this screen wherever the focus is, from the moment it is drawn: an effect after the drawing could lose one.
 * A code field keeps its own scans.
 */
export function useScans(take: (code: string) => void): void {
  const latest = useRef(take);
  useLayoutEffect(() => {
    latest.current = take;
  });
  useLayoutEffect(() => takeScans((code) => latest.current(code)), []);
}
