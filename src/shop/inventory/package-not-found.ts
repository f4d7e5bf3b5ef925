import { failure } from '../../kernel/failure.ts';

/** The error for a package that does not exist or belongs to another organization. */
export function packageNotFound() {
  return failure('PACKAGE_NOT_FOUND', 'There is no such package.');
}
