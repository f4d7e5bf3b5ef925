import { dutyErrors } from './duty-errors.ts';
import type { CatalogEntry } from './error-entry.ts';
import { recordErrors } from './record-errors.ts';
import { refusalErrors } from './refusal-errors.ts';
import { requestErrors } from './request-errors.ts';
import { tillErrors } from './till-errors.ts';
import { tripErrors } from './trip-errors.ts';

/**
 * Every error of the service (D12, D13), with status, condition and remedy. Replies, the OpenAPI document and the
 * reference page are generated from it, and a test checks that at least one test provokes each code.
 */
const entries = {
  ...requestErrors,
  ...recordErrors,
  ...refusalErrors,
  ...tillErrors,
  ...dutyErrors,
  ...tripErrors,
};

export type ErrorCode = keyof typeof entries;

export const errorCatalog: Readonly<Record<ErrorCode, CatalogEntry>> = entries;

export const errorCodes = Object.keys(entries) as readonly ErrorCode[];
