/** Explains from stored data why people were or were not notified of an incident. */

import { withResponse, withSnoozeEnded } from '../../domain/alerting/escalation';
import {
  type EscalationNotice,
  explainEscalation,
  explainMoments,
  findNotice,
} from '../../domain/alerting/explain-escalation';
import {
  type ExplainedDelivery,
  type Explanation,
  explainIncident,
  wasNotified,
} from '../../domain/alerting/explain-incident';
import { foldSilentOutages, isSilentOutage } from '../../domain/alerting/fold-silent-outages';
import { nameRecipient } from '../../domain/alerting/recipient-words';
import type { Alert } from '../../models/alerting/alerts';
import type { Incident } from '../../models/alerting/incidents';
import { AppError } from '../../platform/errors';
import type { IncidentExplanationResponse } from '../../schemas/responses/incidents';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { readClosedUntil } from '../maintenance/step-hours';
import type { Dependencies } from '../ports/dependencies';
import { readChannelNames } from './alert-destinations';
import { readEscalationStatus } from './find-policy';
import { type Contacts, readContacts } from './policy-contacts';
import { findQuietEndMs } from './quiet-hours';
import { findWholeIncident } from './whole-incident';

const DELIVERIES_MAX = 200;

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Explains the incident with all its episodes. Accepts the id of any episode. Throws `not_found`. */
export async function explainStoredIncident(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<IncidentExplanationResponse> {
  const incident = await findWholeIncident(needs, accountId, id);
  if (incident === null) throw new AppError('not_found', 'There is no incident with this id.');
  const parts = await Promise.all(incident.episodes.map((one) => explainEpisode(needs, one)));
  const sentences = foldSilentOutages(parts);
  return {
    incidentId: incident.id,
    notified: parts.some((part) => part.isNotified),
    escalation: parts.findLast((part) => part.escalation !== null)?.escalation ?? null,
    sentences: sentences.map(({ atMs, topic, text, decision = null }) => {
      return { at: toInstant(atMs), topic, text, decision };
    }),
  };
}

interface ExplainedEpisode {
  readonly sentences: readonly Explanation[];
  readonly isSilent: boolean;
  readonly isNotified: boolean;
  readonly escalation: IncidentExplanationResponse['escalation'];
}

async function explainEpisode(needs: Needs, episode: Incident): Promise<ExplainedEpisode> {
  const { items } = await needs.stores.alerts.page(episode.accountId, {
    incidentId: episode.id,
    resourceId: null,
    status: null,
    limit: DELIVERIES_MAX,
    beforeId: null,
  });
  const deliveries = await withChannelNames(needs, items.toReversed());
  const escalation = await explainStoredEscalation(needs, episode);
  const explained = {
    ...episode,
    answers: episode.silenceChanges,
    deliveries,
    ...(escalation !== null && { escalation: escalation.sentences }),
  };
  const isNotified = wasNotified({ ...episode, deliveries }, escalation?.notice);
  return {
    sentences: explainIncident(explained),
    isSilent: isSilentOutage(explained),
    isNotified,
    escalation: escalation?.shown ?? null,
  };
}

/**
 * Returns the alerts with the current names of their channels. If a channel was deleted, the recorded recipient is used
 * instead.
 */
async function withChannelNames(
  { stores }: Needs,
  alerts: readonly Alert[],
): Promise<readonly ExplainedDelivery[]> {
  const [first] = alerts;
  if (first === undefined) return [];
  const names = await readChannelNames(stores.alertChannels, first.accountId);
  return alerts.map((alert) => ({
    ...alert,
    recipient: nameRecipient(alert.recipient, names.get(alert.channelId ?? '') ?? null),
  }));
}

interface ExplainedEscalation {
  readonly sentences: readonly Explanation[];
  readonly notice: EscalationNotice;
  readonly shown: IncidentExplanationResponse['escalation'];
}

/** Explains the escalation. Returns null if the incident has no escalation. */
async function explainStoredEscalation(
  needs: Needs,
  { id, accountId, closedAtMs }: Incident,
): Promise<ExplainedEscalation | null> {
  const record = await needs.stores.escalations.find(accountId, id);
  if (record === null) return null;
  const nowMs = needs.clock.now();
  const { alert, plan } = record.state;
  const [{ state: standing, silence }, contacts, closedUntilMs] = await Promise.all([
    readEscalationStatus(needs, alert, nowMs),
    readContacts(needs, accountId),
    readClosedUntil(needs, accountId, { steps: plan.steps, atMs: nowMs }),
  ]);
  const answered = silence === null ? record.state : withResponse(record.state, silence, nowMs);
  const state = withSnoozeEnded(answered, nowMs);
  const view = {
    state,
    standing,
    nowMs,
    quietEndMs: (atMs: number) => findQuietEndMs(plan.quietHours, atMs),
    closedUntilMs: (step: number, atMs: number) => {
      const quietMs = findQuietEndMs(plan.steps[step]?.quietHours ?? null, atMs) ?? 0;
      const untilMs = Math.max(closedUntilMs(step, atMs) ?? 0, quietMs);
      return untilMs > atMs ? untilMs : null;
    },
  };
  const named = { findName: nameIn(contacts), endedAtMs: closedAtMs };
  return {
    sentences: explainEscalation({ ...view, ...named }),
    notice: findNotice(state),
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

/** Returns a function that finds the name of a contact. If the channel or member was deleted, the name is its id. */
function nameIn({ channels, members }: Contacts): (id: string) => string {
  return (id) =>
    channels.find((channel) => channel.id === id)?.name ??
    members.find((member) => member.id === id)?.email ??
    id;
}
