/** Reads the code of a failed system call. It judges nothing. */

/** The `code` of an error, like `ESRCH`; undefined when there is none. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
