/** The database calls of escalations. While the database is unavailable, escalations continue. */
import type { ClosedStep, EscalationActivities, QuietHours } from '../contracts/escalation';
import type { Logger } from '../platform/logger';
import type { TextSealer } from '../platform/sealing';
import { findPolicy, readEscalationStatus } from '../services/alerting/find-policy';
import { findQuietEndMs } from '../services/alerting/quiet-hours';
import { readClosedUntil } from '../services/maintenance/step-hours';
import type { Dependencies } from '../services/ports/dependencies';

interface EscalationDependencies extends Pick<Dependencies, 'stores'> {
  readonly sealer: TextSealer;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createEscalationActivities(needs: EscalationDependencies): EscalationActivities {
  return {
    async findPolicy(alert) {
      try {
        return await findPolicy(needs, alert);
      } catch (error) {
        needs.logger.warn({ err: error }, 'an alert is sent without checking its policy');
        return null;
      }
    },
    async readEscalationStatus({ alert, quietHours, stepHours, stepQuietHours, atMs }) {
      const quietUntilMs = findQuietEndMs(quietHours, atMs);
      try {
        const status = { ...(await readEscalationStatus(needs, alert, atMs)), quietUntilMs };
        if (stepHours === undefined && stepQuietHours === undefined) return status;
        const steps = { stepHours: stepHours ?? [], stepQuietHours: stepQuietHours ?? [], atMs };
        return { ...status, closedSteps: await readClosedSteps(needs, alert.accountId, steps) };
      } catch (error) {
        needs.logger.warn({ err: error }, 'an escalation continues without checking its incident');
        return { state: 'open', silence: null, quietUntilMs };
      }
    },
    saveEscalation: (record) => needs.stores.escalations.save(record.accountId, record),
  };
}

interface StepTimes {
  readonly stepHours: readonly (string | null)[];
  readonly stepQuietHours: readonly (QuietHours | null)[];
  readonly atMs: number;
}

async function readClosedSteps(
  needs: EscalationDependencies,
  accountId: string,
  { stepHours, stepQuietHours, atMs }: StepTimes,
): Promise<readonly ClosedStep[]> {
  const count = Math.max(stepHours.length, stepQuietHours.length);
  const steps = Array.from({ length: count }, (_unused, step) => {
    const hours = stepHours[step] ?? null;
    return hours === null ? {} : { hours };
  });
  const closedUntilMs = await readClosedUntil(needs, accountId, { steps, atMs });
  return steps.flatMap((_step, step) => {
    const hoursMs = closedUntilMs(step, atMs) ?? 0;
    const quietMs = findQuietEndMs(stepQuietHours[step] ?? null, atMs) ?? 0;
    const untilMs = Math.max(hoursMs, quietMs);
    return untilMs > atMs ? [{ step, untilMs }] : [];
  });
}
