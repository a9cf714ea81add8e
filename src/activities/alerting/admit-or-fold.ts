/**
 * Decides what happens to an alert, before a workflow is started for it. If an escalation may handle the incident, the
 * workflow decides. If the account is over its burst limit (too many alerts in a minute), the alert goes into a digest.
 * Otherwise, the workflow sends the alert.
 */
import type { AlertInput, AlertMessage, AlertTarget, FoldedAlert } from '../../contracts/alerts';
import type { Admission, AlertAdmission } from '../../contracts/digests';
import type { FoundPolicy } from '../../contracts/escalation';
import { isForEscalation } from '../../domain/alerting/escalation-course';
import { listDirectTargets } from '../../domain/alerting/fallback-targets';
import type { Folding } from '../../models/alerting/alerts';
import type { Logger } from '../../platform/logger';

/**
 * Time limit for all reads together, and again for the write. If the database takes longer, it counts as unavailable.
 */
const DATABASE_MS = 4_000;

/** Each function throws if its data source is unavailable. */
export interface AdmissionNeeds {
  readonly findPolicy: (alert: AlertMessage) => Promise<FoundPolicy | null>;
  /** True if an escalation of the incident is running. */
  readonly isEscalating: (incidentId: string) => Promise<boolean>;
  readonly findTargets: (input: AlertInput) => Promise<readonly AlertTarget[]>;
  readonly readFolding: (
    alert: AlertMessage,
    targets: readonly AlertTarget[],
  ) => Promise<Folding | null>;
  /** True if an alert of the incident waits in a digest that has not been sent yet. */
  readonly isIncidentFolding: (accountId: string, incidentId: string) => Promise<boolean>;
  /** Counts the alert against the burst limit. Returns false if the limit is exceeded. */
  readonly count: (alert: AlertMessage) => Promise<boolean>;
  /** Stores that the alert is about to be added to a digest. From then on, `readFolding` returns `begun`. */
  readonly noteFolding: (folded: FoldedAlert) => Promise<void>;
  /** Sends the alert to the digest of its account. Resolves once Temporal has the alert. */
  readonly fold: (folded: FoldedAlert) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createAlertAdmission(needs: AdmissionNeeds): AlertAdmission {
  return {
    async admitOrFold(input) {
      const judged = await judge(needs, input);
      return typeof judged === 'string' ? judged : fold(needs, judged);
    },
  };
}

async function judge(needs: AdmissionNeeds, input: AlertInput): Promise<Admission | FoldedAlert> {
  try {
    return await within(DATABASE_MS, decide(needs, input));
  } catch (error) {
    needs.logger.warn({ err: error }, 'an alert starts its workflow without being counted');
    return 'undecided';
  }
}

/** Returns a decision, or the alert with its recipients if it must go into a digest. */
async function decide(needs: AdmissionNeeds, input: AlertInput): Promise<Admission | FoldedAlert> {
  const { alert } = input;
  const [isForOther, targets] = await Promise.all([
    mayBeTakenOver(needs, alert),
    needs.findTargets(input),
  ]);
  if (isForOther) return 'undecided';
  if (listDirectTargets(targets).length === 0) return 'send';
  // If a worker crashed after it stored a decision, this activity continues with that decision.
  const folding = await needs.readFolding(alert, targets);
  if (folding === 'done') return 'in digest';
  if (folding === 'begun') return { alert, targets, isRepeated: true };
  if (await isFailureFolding(needs, alert)) return { alert, targets };
  return (await needs.count(alert)) ? 'send' : { alert, targets };
}

/** True for a recovery whose failure waits in a digest. The recovery must not be sent before that digest. */
async function isFailureFolding(
  needs: AdmissionNeeds,
  { kind, accountId, incidentId }: AlertMessage,
): Promise<boolean> {
  return (
    kind === 'recovery' &&
    incidentId !== null &&
    (await needs.isIncidentFolding(accountId, incidentId))
  );
}

/**
 * True if an escalation may handle the alert. A policy may have been deleted while an escalation was running, so
 * running escalations are checked, too.
 */
async function mayBeTakenOver(needs: AdmissionNeeds, alert: AlertMessage): Promise<boolean> {
  if (!isForEscalation(alert)) return false;
  if ((await needs.findPolicy(alert)) !== null) return true;
  const { kind, incidentId } = alert;
  return kind !== 'failure' && incidentId !== null && needs.isEscalating(incidentId);
}

/**
 * Adds the alert to a digest. Stores this decision first, so that a retry repeats the decision and does not count the
 * alert twice.
 */
async function fold(needs: AdmissionNeeds, folded: FoldedAlert): Promise<Admission> {
  try {
    await within(DATABASE_MS, needs.noteFolding(folded));
    await needs.fold(folded);
    return 'in digest';
  } catch (error) {
    needs.logger.warn(
      { err: error },
      'an alert could not be added to a digest; its workflow adds it',
    );
    return 'fold';
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
