/**
 * Finds out whether there are too many alerts, before an alert gets its own workflow. So a mass failure starts few
 * workflows.
 */
import {
  ActivityFailure,
  isCancellation,
  patched,
  proxyLocalActivities,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { AlertInput } from '../../contracts/alerts';
import type { Admission, AlertAdmission } from '../../contracts/digests';
import { isFoldable } from '../../domain/alerting/burst-rule';

/** The timeout is longer than all calls of the activity may take together. */
const { admitOrFold } = proxyLocalActivities<AlertAdmission>({
  startToCloseTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Returns the input for the alert's workflow. Returns null if the alert is already in the digest (the collected
 * message) of the account.
 */
export async function unlessFolded(input: AlertInput): Promise<AlertInput | null> {
  if (!isFoldable(input.alert.kind) || !patched('folded-before-start')) return input;
  const admission = await admit(input);
  if (admission === 'in digest') return null;
  return admission === 'undecided' ? input : { ...input, decided: admission };
}

async function admit(input: AlertInput): Promise<Admission> {
  try {
    return await admitOrFold(input);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    const cause = error instanceof ActivityFailure ? error.cause : error;
    // The digest may already contain the alert. Adding it again does no harm, because a digest accepts each alert only
    // once.
    return cause instanceof TimeoutFailure ? 'fold' : 'undecided';
  }
}
