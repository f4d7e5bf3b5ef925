import { t } from '../words/words.ts';
import type { DriverLicense, LicenseFault } from './driver-license.ts';
import { isCardText, isLicenseText } from './license-text.ts';
import { hasCheckDigit, isPackageTag, isScanCode } from './scan-codes.ts';

/** What a scanned text is. */
export type Scan =
  /** The code of a product; `isSound`: its check digit is right. */
  | { readonly kind: 'product'; readonly code: string; readonly isSound: boolean }
  /** The label of a package. */
  | { readonly kind: 'package'; readonly code: string }
  /** An order, by the number that its papers show. */
  | { readonly kind: 'order'; readonly number: number }
  /** An order that a register sold offline, by the register's own number, which the receipt shows. */
  | { readonly kind: 'offline-sale'; readonly registerId: number; readonly saleNumber: string }
  | { readonly kind: 'license'; readonly license: DriverLicense }
  | { readonly kind: 'unreadable-license'; readonly fault: LicenseFault }
  /** Something else, scanned into a number field. */
  | { readonly kind: 'other'; readonly code: string };

const orderCode = /^ORDER(\d{6,15})$/;
const offlineSaleNumber = /^R(\d{1,10})(-[0-9A-Z]{1,8}){1,2}$/;

/** The text of the barcode on an order's receipt and packing slip. */
export function orderCodeOf(number: number): string {
  return `ORDER${String(number).padStart(6, '0')}`;
}

/** Whether a text typed by a machine is a scan, wherever it was typed. */
export function isScanText(text: string): boolean {
  if (isScanCode(text) || orderCode.test(text) || offlineSaleNumber.test(text)) return true;
  return isLicenseText(text) || isCardText(text);
}

/** What the text of a license says. Its reader is loaded with the first one. */
export async function understandLicense(text: string): Promise<Scan> {
  const { readLicense } = await import('./driver-license.ts');
  const license = readLicense(text);
  return typeof license === 'string'
    ? { kind: 'unreadable-license', fault: license }
    : { kind: 'license', license };
}

/** What any other scanned text is. */
export function understandScan(text: string): Scan {
  const isCode = isScanCode(text) || orderCode.test(text) || offlineSaleNumber.test(text);
  // A part of a card, whose beginning was lost.
  if (!isCode && isCardText(text)) return { kind: 'unreadable-license', fault: 'incomplete' };
  const [, number] = orderCode.exec(text) ?? [];
  if (number !== undefined) return { kind: 'order', number: Number(number) };
  const [, registerId] = offlineSaleNumber.exec(text) ?? [];
  if (registerId !== undefined)
    return { kind: 'offline-sale', registerId: Number(registerId), saleNumber: text };
  if (isPackageTag(text)) return { kind: 'package', code: text };
  if (isScanCode(text)) return { kind: 'product', code: text, isSound: hasCheckDigit(text) };
  return { kind: 'other', code: text };
}

/** Whether the scan stands for something: a product code with its right check digit, a package, an order, a license. */
export function isUnderstood(scan: Scan): boolean {
  return scan.kind === 'product' ? scan.isSound : scan.kind !== 'other' && scan.kind !== 'unreadable-license';
}

/** What was understood, to be read out. */
export function scanInWords(scan: Scan): string {
  switch (scan.kind) {
    case 'product':
      return scan.isSound
        ? t`Scanned: product code ${scan.code}.`
        : t`Scanned: code ${scan.code}. Its check digit is wrong.`;
    case 'package':
      return t`Scanned: package ${scan.code}.`;
    case 'order':
      return t`Scanned: order ${scan.number}.`;
    case 'offline-sale':
      return t`Scanned: offline sale ${scan.saleNumber}.`;
    case 'license':
      return t`Scanned: driver's license.`;
    case 'unreadable-license':
      return t`Scanned: driver's license. ${faultInWords(scan.fault)}`;
    case 'other':
      return t`Scanned: ${scan.code.slice(0, 80)}. This is not the code of a product, package, order or license.`;
  }
}

/** Why a license could not be read, and what to do. */
export function faultInWords(fault: LicenseFault): string {
  return fault === 'no-line-ends'
    ? t`The scanner drops the line breaks. Set it to send them (line feeds, or Enter), or type the data.`
    : t`It could not be read in full. Scan it again, or type the data.`;
}
