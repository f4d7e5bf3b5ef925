import { useEffect, useRef } from 'react';
import { takeScans } from './scanner.ts';

/** Handles scans on this screen wherever the focus is. A code field keeps its own scans. */
export function useScans(take: (code: string) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => takeScans((code) => latest.current(code)), []);
}
