import { useLayoutEffect, useRef } from 'react';
import type { DriverLicense } from './driver-license.ts';
import { takeScans } from './scanner.ts';
import type { Scan } from './understand-scan.ts';

/**
 * Handles the codes of goods on this screen wherever the focus is, from the moment it is drawn: an effect after the drawing could
 * lose one. A code field keeps its own scans.
 */
export function useScans(take: (code: string) => void): void {
  useScansOf((scan) => {
    if (!('code' in scan)) return false;
    take(scan.code);
    return true;
  });
}

/** The shortest code of a gift card; codes of goods have at most 14 digits. */
const giftCardDigits = 16;

/** The same for the codes of gift cards alone. */
export function useGiftCardScans(take: (code: string) => void): void {
  useScansOf((scan) => {
    if (scan.kind !== 'product' || scan.code.length < giftCardDigits) return false;
    take(scan.code);
    return true;
  });
}

/** The same for driver's licenses. */
export function useLicenseScans(take: (license: DriverLicense) => void): void {
  useScansOf((scan) => {
    if (scan.kind !== 'license') return false;
    take(scan.license);
    return true;
  });
}

function useScansOf(take: (scan: Scan) => boolean): void {
  const latest = useRef(take);
  useLayoutEffect(() => {
    latest.current = take;
  });
  useLayoutEffect(() => takeScans((scan) => latest.current(scan)), []);
}
