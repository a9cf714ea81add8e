/**
 * Looks up the policy that currently applies to a check, the route that chose it, and who would be notified and when.
 */
import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CheckSelect } from '../../../shared/alerts/check-select';
import type { RouteSimulation } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { Notifications } from './simulation';
import { TEXT } from './strings';

/** `version` is the version of the routes. When it changes, the lookup runs again. */
export function PolicyLookUp({ version }: { readonly version: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { mutate, data, error } = useChange<RouteSimulation>([]);
  useEffect(() => {
    if (chosen === null || version < 0) return;
    const body = { resourceId: chosen, at: new Date().toISOString() };
    mutate({ method: 'POST', path: '/v1/alert-routes/simulate', body });
  }, [mutate, chosen, version]);
  return (
    <Stack gap="xs" maw="var(--kw-form)">
      <CheckSelect
        label="Which policy does a check get?"
        placeholder="Choose a check"
        value={chosen}
        onChange={setChosen}
      />
      {error !== null && <ProblemNote problem={error} />}
      {chosen !== null && data !== undefined && (
        <div aria-live="polite">
          <Text size="sm">{chosenWords(data)}</Text>
          {data.policy !== null && <Notifications simulated={data} />}
        </div>
      )}
    </Stack>
  );
}

function chosenWords({ policy, chosenBy, route }: RouteSimulation): string {
  const name = policy === null ? TEXT.ownChannels : policy.name;
  if (chosenBy === 'route') return `${name}. Route ${route} matches.`;
  return chosenBy === 'resource'
    ? `${name}. The check names the policy itself.`
    : 'No route matches: failures go to its own channels.';
}
