/**
 * Marks assertions that must hold in every run. Even one failure in a hundred runs shows a defect that Keepwatch
 * promises to exclude: a slot that is lost or stored twice, an alert that is sent twice, or a secret that is sent to a
 * wrong server. The failure of a marked assertion is not retried.
 */

/** Runs the assertions. If they throw an error, marks the error. */
export async function never(assertions: () => Promise<void> | void): Promise<void> {
  try {
    await assertions();
  } catch (error) {
    // Does not use `instanceof Error`, because the test runner has its own error classes.
    if (typeof error === 'object' && error !== null && 'message' in error)
      error.message = `[never] ${String(error.message)}`;
    throw error;
  }
}
