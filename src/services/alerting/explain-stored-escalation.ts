/** How far the escalation of an incident is, why, and what will follow. It reads what is stored. */
import { withResponse, withSnoozeEnded } from '../../domain/alerting/escalation';
import {
  type EscalationNotice,
  explainEscalation,
  explainMoments,
  noticeOf,
} from '../../domain/alerting/explain-escalation';
import type { Explanation } from '../../domain/alerting/explain-incident';
import type { Incident } from '../../models/alerting/incidents';
import type { IncidentExplanationResponse } from '../../schemas/responses/explanations';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { escalationStatusOf } from './find-policy';
import { type Contacts, readContacts } from './policy-contacts';
import { quietEndMs } from './quiet-hours';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

interface ExplainedEscalation {
  readonly sentences: readonly Explanation[];
  readonly notice: EscalationNotice;
  readonly shown: IncidentExplanationResponse['escalation'];
}

/** null for an incident without one. */
export async function explainStoredEscalation(
  needs: Needs,
  { id, accountId, closedAtMs }: Incident,
): Promise<ExplainedEscalation | null> {
  const record = await needs.stores.escalations.find(accountId, id);
  if (record === null) return null;
  const nowMs = needs.clock.now();
  const { alert, plan } = record.state;
  const [{ state: standing, silence }, contacts] = await Promise.all([
    escalationStatusOf(needs, alert, nowMs),
    readContacts(needs, accountId),
  ]);
  const answered = silence === null ? record.state : withResponse(record.state, silence, nowMs);
  const state = withSnoozeEnded(answered, nowMs);
  const view = {
    state,
    standing,
    nowMs,
    quietEndMs: (atMs: number) => quietEndMs(plan.quietHours, atMs),
  };
  const named = { nameOf: nameIn(contacts), endedAtMs: closedAtMs };
  return {
    sentences: explainEscalation({ ...view, ...named }),
    notice: noticeOf(state),
    shown: {
      policyName: plan.policyName,
      route: plan.route ?? null,
      startedAt: toInstant(state.startedAtMs),
      notifications: explainMoments(view).map(({ step, round, atMs, state: outcome, reason }) => ({
        step: step + 1,
        round,
        state: outcome,
        at: toInstantOrNull(atMs),
        reason,
      })),
    },
  };
}

/** The id of whoever is gone. */
function nameIn({ channels, members }: Contacts): (id: string) => string {
  return (id) =>
    channels.find((channel) => channel.id === id)?.name ??
    members.find((member) => member.id === id)?.email ??
    id;
}
