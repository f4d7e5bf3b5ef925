/** A usage error of the command line; shown with the command's usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}
