/** Shows the policy that a route chooses for the check. */
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import type { RoutedType } from '../../../contracts/escalation';
import type { Monitor, RouteSimulation } from '../data/api-types';
import { useChange } from '../data/queries';
import { usePolicies } from './use-policies';

/** The fields of a check that alert routes match. The definition may be incomplete. */
export interface Routed {
  readonly type: RoutedType;
  readonly group: string;
  readonly url: string | null;
  readonly tags: readonly string[];
}

interface RoutedNoteProps {
  readonly routed: Routed;
  readonly alerts: Monitor['alerts'];
  /** Shown if no route leads to a policy. */
  readonly otherwise: ReactNode;
}

const TYPING_MS = 400;

export function RoutedNote({ routed, alerts, otherwise }: RoutedNoteProps) {
  const hasPolicies = usePolicies().length > 0;
  // A check without recipients notifies no one, even if a route matches.
  const mayBeRouted = hasPolicies && alerts.channels.length + alerts.emails.length > 0;
  const { group, ...rest } = routed;
  const body = { ...rest, group: group.trim() === '' ? null : group };
  const [asked] = useDebouncedValue(mayBeRouted ? JSON.stringify(body) : '', TYPING_MS);
  const { mutate, data } = useChange<RouteSimulation>([]);
  useEffect(() => {
    if (asked === '') return;
    const resource: unknown = JSON.parse(asked);
    const request = { resource, at: new Date().toISOString() };
    mutate({ method: 'POST', path: '/v1/alert-routes/simulate', body: request });
  }, [asked, mutate]);
  if (!mayBeRouted || data === undefined || data.policy === null) return otherwise;
  const [first] = data.notifications;
  const names = first?.notify.map(({ name }) => name) ?? [];
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Failures follow the policy {data.policy.name}, by route {data.route}.
      {names.length > 0 && ` Notified first: ${names.join(', ')}`}
    </Text>
  );
}
