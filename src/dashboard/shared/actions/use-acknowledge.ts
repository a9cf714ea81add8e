/** Acknowledges an incident or undoes the acknowledgement, on every page that shows the incident. */
import type { Incident } from '../data/api-types';
import { type Expected, isShown } from '../data/expected';
import { useSession } from '../data/session';
import { useAct } from './use-act';

interface Acknowledged {
  readonly id: string;
  /** The name of the check that is down. */
  readonly name: string;
  /** True if the incident is snoozed. An acknowledgement ends a snooze, and an undo cannot restore it. */
  readonly isSnoozed?: boolean;
}

interface Acknowledging {
  readonly acknowledge: (incident: Acknowledged) => void;
  /** Undoes an acknowledgement. Also ends a snooze, so alerts continue. */
  readonly unacknowledge: (incident: Acknowledged) => void;
  readonly isPending: boolean;
}

export function useAcknowledge(): Acknowledging {
  const { act, isPending } = useAct<Incident>([
    '/v1/incidents',
    '/v1/checks',
    '/v1/monitors',
    '/v1/scenarios',
  ]);
  const { user } = useSession();
  const by = user?.email ?? null;
  const unacknowledge = ({ id }: Acknowledged): void =>
    act(
      { method: 'POST', path: `/v1/incidents/${id}/unacknowledge` },
      { done: 'Alerts go on.', expected: expectAcknowledged(id, null) },
    );
  return {
    unacknowledge,
    isPending,
    acknowledge: (incident) =>
      act(
        { method: 'POST', path: `/v1/incidents/${incident.id}/acknowledge` },
        {
          expected: expectAcknowledged(incident.id, by ?? 'someone'),
          done: ({ acknowledgedBy }) =>
            acknowledgedBy === by
              ? `Incident of ${incident.name} acknowledged.`
              : `Incident of ${incident.name} was acknowledged by ${acknowledgedBy ?? 'someone'}.`,
          undo: ({ acknowledgedBy, state }) =>
            acknowledgedBy === by && state === 'acknowledged' && incident.isSnoozed !== true
              ? () => unacknowledge(incident)
              : undefined,
        },
      ),
  };
}

/** Returns the change to show in the incident and its check. If `by` is null, the acknowledgement is undone. */
function expectAcknowledged(incidentId: string, by: string | null): Expected {
  const acknowledged = {
    acknowledgedAt: by === null ? null : new Date().toISOString(),
    acknowledgedBy: by,
  };
  const awake = { snoozedUntil: null, snoozedBy: null, snoozeReason: null };
  return ({ id, state, currentIncidentId, failure }) => {
    if (id === incidentId) {
      const unresolved = by === null ? 'open' : 'acknowledged';
      return { ...acknowledged, ...awake, state: state === 'resolved' ? state : unresolved };
    }
    if (currentIncidentId !== incidentId || !isShown(failure)) return null;
    return { failure: { ...failure, ...acknowledged } };
  };
}
