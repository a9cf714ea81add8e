/** Who would be notified when by a policy, if nobody responded. Nothing is sent. */
import type { AlertKind } from '../../contracts/alerts';
import { foresee } from '../../domain/alerting/escalation';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { AlertSimulationResponse } from '../../schemas/responses/alert-policies';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { findAlertPolicy } from './alert-policies';
import { type Contacts, readContacts } from './policy-contacts';
import { quietEndMs } from './quiet-hours';

type Needs = Pick<Dependencies, 'stores'>;

export interface SimulationRequest {
  readonly id: string;
  readonly atMs: number;
  readonly kind: AlertKind;
  readonly tags: readonly string[];
}

type Notified = AlertSimulationResponse['notifications'][number]['notify'][number];

/** By the same rules as the escalation itself. */
export async function simulatePolicy(
  needs: Needs,
  accountId: string,
  { id, ...request }: SimulationRequest,
): Promise<AlertSimulationResponse> {
  const policy = await findAlertPolicy(needs, accountId, id);
  return simulationOf(needs, policy, { ...request, accountId });
}

/** Of a policy that is known. */
export async function simulationOf(
  needs: Needs,
  { steps, quietHours }: AlertPolicy,
  { accountId, atMs, kind, tags }: Omit<SimulationRequest, 'id'> & { readonly accountId: string },
): Promise<AlertSimulationResponse> {
  if (kind !== 'failure') return { isEscalated: false, notifications: [] };
  const contacts = await readContacts(needs, accountId);
  const isExcepted = quietHours?.except.some((tag) => tags.includes(tag)) === true;
  const quiet = isExcepted ? null : quietHours;
  const known = new Set<string>();
  const notifications = foresee(steps, atMs, (dueMs) => quietEndMs(quiet, dueMs)).flatMap((one) => {
    const notify = steps[one.step]?.notify ?? [];
    const [fresh, again] = [
      notify.filter((who) => !known.has(who)),
      notify.filter((who) => known.has(who)),
    ];
    for (const who of notify) known.add(who);
    const at = { at: toInstant(one.atMs), step: one.step + 1 };
    const as = (sent: 'failure' | 'reminder', who: readonly string[]) =>
      who.length === 0
        ? []
        : [
            {
              ...at,
              kind: sent,
              notify: who.flatMap((each) => shownContact(each, sent, contacts)),
            },
          ];
    return [...as('failure', fresh), ...as('reminder', again)];
  });
  return { isEscalated: true, notifications };
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
