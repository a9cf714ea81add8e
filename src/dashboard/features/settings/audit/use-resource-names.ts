/** The names of resources that events of the audit trail are about. */
import { useMemo } from 'react';
import type {
  AlertChannel,
  AuditEvent,
  Incident,
  Page,
  Profile,
  Rollout,
} from '../../../shared/data/api-types';
import { useChecks } from '../../../shared/data/checks';
import { useRead } from '../../../shared/data/queries';
import { describeRollout } from '../../../shared/rollouts/rollout-words';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns the names of checks, channels, profiles, and the newest incidents and rollouts, by id. Maintenance windows
 * and alert policies are read only if an event is about one. The names of other resources are in the events themselves.
 */
export function useResourceNames(events: readonly AuditEvent[]): ReadonlyMap<string, string> {
  const { checks } = useChecks();
  const { data: channels } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const { data: incidents } = useRead<Page<Incident>>('/v1/incidents?limit=200');
  const { data: profiles } = useRead<Page<Profile>>('/v1/profiles?limit=500');
  const { data: rollouts } = useRead<Page<Rollout>>('/v1/rollouts?limit=200');
  const isAbout = (type: string): boolean =>
    events.some(({ resourceType }) => resourceType === type);
  const { data: windows } = useRead<Page<Named>>('/v1/maintenance-windows?limit=100', {
    enabled: isAbout('maintenance_window'),
  });
  const { data: policies } = useRead<Page<Named>>('/v1/alert-policies?limit=100', {
    enabled: isAbout('alert_policy'),
  });
  return useMemo(() => {
    const named = [checks, ...[channels, profiles, windows, policies].map((page) => page?.data)];
    return new Map([
      ...named.flatMap((all: readonly Named[] = []) =>
        all.map(({ id, name }) => [id, name] as const),
      ),
      ...(incidents?.data ?? []).map(({ id, resourceName }) => [id, resourceName] as const),
      ...(rollouts?.data ?? []).map((rollout) => [rollout.id, describeRollout(rollout)] as const),
    ]);
  }, [checks, channels, incidents, profiles, rollouts, windows, policies]);
}
