/** One episode in the list: an incident, or several of one check with hardly any recovery between them. */
import { Anchor, Group, Paper, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { AbsoluteTime, lengthOf, RelativeTime } from '../../shared/text/time';
import { IncidentState } from './incident-state';
import type { IncidentEpisode } from './story';
import { TEXT } from './strings';

export function IncidentRow({ episode }: { readonly episode: IncidentEpisode }) {
  const { latest: incident, incidents, downSeconds } = episode;
  const { id, state, resourceName, resourceType, cause, regions, openedAt } = incident;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Group gap="sm" miw={0}>
          <IncidentState state={state} />
          <Anchor
            component={Link}
            to={`/incidents/${id}`}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {resourceName}
          </Anchor>
          <Text size="xs" c="dimmed">
            {resourceType}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          <RelativeTime at={openedAt} />
          {state === 'resolved' && `, down ${lengthOf(downSeconds)}`}
        </Text>
      </Group>
      <Text size="sm" mt={6} style={{ overflowWrap: 'anywhere' }}>
        {cause?.message ?? TEXT.unknownCause}
      </Text>
      {incidents.length > 1 && <Flaps episode={episode} />}
      <Group gap="md" mt={4}>
        {regions.length > 0 && (
          <Text size="xs" c="dimmed">
            {regions.join(', ')}
          </Text>
        )}
        {incident.acknowledgedAt !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <IconUserCheck size={13} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
            {TEXT.acknowledged} by {incident.acknowledgedBy ?? 'someone'}
          </Text>
        )}
      </Group>
    </Paper>
  );
}

function Flaps({ episode: { incidents } }: { readonly episode: IncidentEpisode }) {
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {incidents.length} times in a row
      </Text>
      <ol style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {incidents.map(({ id, openedAt, durationSeconds }) => (
          <Text component="li" size="sm" key={id}>
            <Anchor component={Link} to={`/incidents/${id}`} size="sm">
              <AbsoluteTime at={openedAt} />
            </Anchor>
            , {lengthOf(durationSeconds)}
          </Text>
        ))}
      </ol>
    </details>
  );
}
