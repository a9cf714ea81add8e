/** The routes of the account in their order, and a lookup of the policy that applies to a check. */
import { Box, Code, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { CheckSelect } from '../../../shared/alerts/check-select';
import { usePolicies } from '../../../shared/alerts/use-policies';
import type { AlertRoutes, RouteSimulation } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { Unread } from '../../../shared/loading/unread';
import { Heading } from '../../../shared/ui/heading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { SmallButton } from '../../../shared/ui/small-button';
import { createRows, matchWords, policyWords } from './route-draft';
import { RoutesForm } from './routes-form';
import { Notifications } from './simulation';
import { TEXT } from './strings';
import { useRecipientNames } from './use-recipient-names';

/** Shows the alert routes. Renders nothing while the account has neither policies nor routes. */
export function RoutesPanel() {
  const { data, error } = useRead<AlertRoutes>('/v1/alert-routes');
  const policies = usePolicies();
  const mayWrite = useCan('write');
  const [isEdited, setIsEdited] = useState(false);
  const rows = useMemo(() => (data === undefined ? [] : createRows(data)), [data]);
  if (data === undefined)
    return (
      <Box component="section" mt="xl">
        {error !== null && <Heading mb="xs">Routes</Heading>}
        <Unread of={{ data, error }} shape={null} />
      </Box>
    );
  const editButton = mayWrite && (
    <SmallButton onClick={() => setIsEdited(true)}>{TEXT.routesEdit}</SmallButton>
  );
  if (policies.length === 0 && data.routes.length === 0) return null;
  return (
    <Stack component="section" mt="xl" gap="sm" aria-labelledby="alert-routes">
      <Group justify="space-between">
        <Heading id="alert-routes">Routes</Heading>
        {rows.length > 0 && editButton}
      </Group>
      <Text c="dimmed">{TEXT.routesAbout}</Text>
      {rows.length === 0 ? (
        <Paper withBorder p="md">
          <Group justify="space-between" gap="sm">
            <Text size="sm" flex="1 1 260px">
              No routes yet. Example: send every check with the tag <Code>payments</Code> to{' '}
              {policies[0]?.label ?? 'a policy'}.
            </Text>
            {editButton}
          </Group>
        </Paper>
      ) : (
        <List type="ordered" size="sm">
          {rows.map((row) => (
            <List.Item key={row.rowId} style={{ overflowWrap: 'anywhere' }}>
              {matchWords(row)} → {policyWords(row.policy, policies)}
            </List.Item>
          ))}
        </List>
      )}
      <PolicyLookUp version={data.version} />
      {isEdited && <RoutesForm routes={data} onClose={() => setIsEdited(false)} />}
    </Stack>
  );
}

/**
 * Finds the policy that applies to a check. `version` is the version of the routes. When it changes, the policy is
 * looked up again.
 */
function PolicyLookUp({ version }: { readonly version: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { mutate, data, error } = useChange<RouteSimulation>([]);
  const [from, setFrom] = useState('');
  const findRecipientNames = useRecipientNames();
  useEffect(() => {
    if (chosen === null || version < 0) return;
    const at = new Date().toISOString();
    setFrom(at);
    const body = { resourceId: chosen, at };
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
          <Text size="sm">{chosenWords(data, findRecipientNames(chosen))}</Text>
          {data.policy !== null && <Notifications simulated={data} from={from} />}
        </div>
      )}
    </Stack>
  );
}

function chosenWords(
  { policy, chosenBy, route }: RouteSimulation,
  recipients: readonly string[] | null,
): string {
  const name = policy === null ? TEXT.ownChannels : policy.name;
  if (chosenBy === 'route') return `${name}, by route ${route}.`;
  if (chosenBy === 'resource') return `${name}, chosen in the check itself.`;
  const none = 'No policy: the check names none, and no route matches.';
  if (recipients === null) return none;
  return `${none} It alerts ${recipients.length === 0 ? 'nobody' : recipients.join(', ')}.`;
}
