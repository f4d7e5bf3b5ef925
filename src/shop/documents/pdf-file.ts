import { expectFile, isCutOff } from './broken-file.ts';

/** The distance from the end in which a reader searches for the trailer. */
const tailBytes = 1024;

/** Fails unless the bytes begin and end as a PDF, with a cross-reference table inside the file. */
export function checkPdf(bytes: Buffer): void {
  const tail = bytes.subarray(-tailBytes).toString('latin1');
  const [all, offset] = [.../startxref\s+(\d{1,10})\s+%%EOF/g[Symbol.matchAll](tail)].at(-1) ?? [];
  expectFile(all !== undefined, isCutOff);
  expectFile(Number(offset) < bytes.length, 'is a damaged PDF: its cross-reference table is beyond its end');
  const rest = tail.slice(tail.lastIndexOf('%%EOF') + 5);
  expectFile(/^[\s\0]*$/.test(rest), 'contains other data after the document');
}
