/** Reads the hours of steps in alert policies, and finds the time at which the hours open. */
import type { EscalationTimes } from '../../contracts/escalation';
import type { ClosedUntil } from '../../domain/alerting/escalation-course';
import type { FieldProblem } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { findHoursKey } from './find-hours-key';
import { findOpeningAt, readCalendar } from './hours-calendar';

type Needs = Pick<Dependencies, 'stores'>;

/**
 * Returns a map from each reference to hours in the steps to the key of these hours. Also returns a problem for each
 * step with unknown hours.
 */
export async function resolveStepHours(
  { stores }: Needs,
  accountId: string,
  steps: readonly { readonly hours: string | null }[],
): Promise<{
  readonly keys: ReadonlyMap<string, string>;
  readonly problems: readonly FieldProblem[];
}> {
  const keys = new Map<string, string>();
  const problems: FieldProblem[] = [];
  for (const [index, { hours }] of steps.entries()) {
    if (hours === null) continue;
    const key = keys.get(hours) ?? (await findHoursKey({ stores }, accountId, hours));
    if (key !== null) keys.set(hours, key);
    else {
      const message = 'is not the key or id of hours of this account';
      problems.push({ path: `steps[${index}].hours`, code: 'unknown_key', message });
    }
  }
  return { keys, problems };
}

/**
 * Returns a function that finds when the hours of a step open. The function returns null if the hours are open. Deleted
 * hours count as open. Calendars are computed once, as of `atMs`.
 */
export async function readClosedUntil(
  { stores }: Needs,
  accountId: string,
  {
    steps,
    atMs,
  }: { readonly steps: readonly Pick<EscalationTimes, 'hours'>[]; readonly atMs: number },
): Promise<ClosedUntil> {
  const keys = [...new Set(steps.flatMap(({ hours }) => hours ?? []))];
  const found = await Promise.all(keys.map((key) => stores.hours.findByKey(accountId, key)));
  const calendars = new Map(
    found.flatMap((hours) => (hours === null ? [] : [[hours.key, readCalendar(hours, atMs)]])),
  );
  return (step, lookedAtMs) => {
    const calendar = calendars.get(steps[step]?.hours ?? '');
    if (calendar === undefined) return null;
    const { isOpen, changesAtMs } = findOpeningAt(calendar, lookedAtMs);
    return isOpen ? null : changesAtMs;
  };
}
