import { failure } from '../kernel/failure.ts';

/** The one answer for a package that is not there, or is another organization's. */
export function packageNotFound() {
  return failure('PACKAGE_NOT_FOUND', 'There is no such package.');
}
