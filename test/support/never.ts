/**
 * Marks an assertion that must hold even in rare runs: one failure in a hundred runs is a defect that Keepwatch
 * promises to exclude, such as a slot lost or stored twice, an alert sent twice, or a secret sent elsewhere. Such a
 * failure is not retried.
 */

/** Runs the assertions and marks the error that they throw. */
export async function never(assertions: () => Promise<void> | void): Promise<void> {
  try {
    await assertions();
  } catch (error) {
    // No `instanceof Error`, since the test runner has its own error classes.
    if (typeof error === 'object' && error !== null && 'message' in error)
      error.message = `[never] ${String(error.message)}`;
    throw error;
  }
}
