/**
 * Marks an assertion for which one failure in a hundred runs is the defect whose absence Keepwatch promises:
 * a slot lost or stored twice, an alert sent twice, a secret in the wrong place. Such a failure gets no second look.
 */

/** Runs the assertions; what they throw is marked. */
export async function never(assertions: () => Promise<void> | void): Promise<void> {
  try {
    await assertions();
  } catch (error) {
    // No `instanceof Error`: the test runner has errors of its own.
    if (typeof error === 'object' && error !== null && 'message' in error)
      error.message = `[never] ${String(error.message)}`;
    throw error;
  }
}
