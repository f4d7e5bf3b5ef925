import { useEffect, useRef } from 'react';
import { takeScans } from './scanner.ts';

/** Takes the scans of whoever works on this screen, wherever the focus is; a field that is for codes keeps its own. */
export function useScans(take: (code: string) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => takeScans((code) => latest.current(code)), []);
}
