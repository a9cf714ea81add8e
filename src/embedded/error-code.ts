/** Reads the code of a failed system call. */

/** Returns the `code` of an error, such as `ESRCH`. undefined if the error has none. */
export function readErrorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
