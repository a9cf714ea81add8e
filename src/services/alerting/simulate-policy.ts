/** Simulates whom a policy would notify, and when, if the incident stayed without a response. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { EscalationStep } from '../../contracts/escalation';
import { beginCourse, forecastNotifications } from '../../domain/alerting/escalation-course';
import type { AlertPolicy, PolicyStep } from '../../models/alerting/alert-policies';
import type { AlertSimulationResponse } from '../../schemas/responses/alert-policies';
import { toInstant } from '../lists/instants';
import { readClosedUntil } from '../maintenance/step-hours';
import { findTypedObject } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { ALERT_POLICIES } from './alert-policies';
import { type Contacts, readContacts } from './policy-contacts';
import { findQuietEndMs } from './quiet-hours';

type Needs = Pick<Dependencies, 'stores'>;

export interface SimulationRequest {
  readonly id: string;
  readonly atMs: number;
  readonly kind: AlertKind;
  readonly tags: readonly string[];
}

type Notified = AlertSimulationResponse['notifications'][number]['notify'][number];

/** Simulates the policy with the same rules as a real escalation. */
export async function simulatePolicy(
  needs: Needs,
  accountId: string,
  { id, ...request }: SimulationRequest,
): Promise<AlertSimulationResponse> {
  const policy = await findTypedObject(needs, ALERT_POLICIES, { accountId, id });
  return simulate(needs, policy, { ...request, accountId });
}

/** Simulates a policy that has already been read. */
export async function simulate(
  needs: Needs,
  { steps, quietHours }: AlertPolicy,
  { accountId, atMs, kind, tags }: Omit<SimulationRequest, 'id'> & { readonly accountId: string },
): Promise<AlertSimulationResponse> {
  if (kind !== 'failure') return { isEscalated: false, notifications: [] };
  const contacts = await readContacts(needs, accountId);
  const isExcepted = quietHours?.except.some((tag) => tags.includes(tag)) === true;
  const quiet = isExcepted ? null : quietHours;
  const plan = { policyName: '', steps: steps.map(buildStep), quietHours: null, lastResort: null };
  const course = beginCourse(plan, atMs);
  const closedUntilMs = await readClosedUntil(needs, accountId, { steps, atMs });
  const quietUntilMs = (dueMs: number): number | null => findQuietEndMs(quiet, dueMs);
  const foreseen = forecastNotifications(course, atMs, quietUntilMs, closedUntilMs);
  const notifications = foreseen.flatMap(({ atMs: sentAtMs, step, first, again }) => {
    const at = { at: toInstant(sentAtMs), step: step + 1 };
    const as = (sent: 'failure' | 'reminder', who: readonly string[]) => {
      if (who.length === 0) return [];
      return [{ ...at, kind: sent, notify: who.flatMap((id) => shownContact(id, sent, contacts)) }];
    };
    return [...as('failure', first), ...as('reminder', again)];
  });
  return { isEscalated: true, notifications };
}

function buildStep({ notify, ...times }: PolicyStep): EscalationStep {
  const recipients = { channels: [], targets: [] };
  return { ...times, contacts: notify.map((id) => ({ id, recipients })) };
}

function shownContact(
  id: string,
  kind: AlertKind,
  { channels, members }: Contacts,
): readonly Notified[] {
  const channel = channels.find((one) => one.id === id);
  if (channel !== undefined) {
    const { name, onlyKinds } = channel;
    return [{ id, name, isWanted: onlyKinds === null || onlyKinds.includes(kind) }];
  }
  const member = members.find((one) => one.id === id);
  return member === undefined ? [] : [{ id, name: member.email, isWanted: true }];
}
