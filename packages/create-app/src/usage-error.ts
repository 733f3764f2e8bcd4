/** A mistake in the command line. Nothing was written. */
export class UsageError extends Error {
  override name = 'UsageError';
}
