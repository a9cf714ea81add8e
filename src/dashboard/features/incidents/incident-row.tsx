import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { countWords } from '../../shared/charts/counted';
import type { Incident } from '../../shared/data/api-types';
import { outageSince } from '../../shared/data/trouble';
import { formatDuration, RelativeTime } from '../../shared/text/time';
import { CardItem } from '../../shared/ui/card-list';
import { EpisodeList } from './episode-list';
import { IncidentState } from './incident-state';
import { SUBJECT_WORDS, TEXT } from './strings';

export function IncidentRow({ incident }: { readonly incident: Incident }) {
  const { id, state, resourceName, resourceType, cause, regions } = incident;
  const { durationSeconds, episodeCount, identityProvider } = incident;
  return (
    <CardItem>
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
            {SUBJECT_WORDS[resourceType].toLowerCase()}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {episodeCount > 1 && 'last outage '}
          <RelativeTime at={outageSince(incident)} />
          {state === 'resolved' && `, down ${formatDuration(durationSeconds)}`}
        </Text>
      </Group>
      <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {cause?.message ?? TEXT.unknownCause}
        {identityProvider !== null &&
          ` ${countWords(identityProvider.checkCount, 'check')} could not sign in.`}
        <Text span size="xs" c="dimmed">
          {regions.length > 0 && ` · ${regions.join(', ')}`}
          {incident.acknowledgedAt !== null &&
            ` · ${TEXT.acknowledged} by ${incident.acknowledgedBy ?? 'someone'}`}
        </Text>
      </Text>
      {episodeCount > 1 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {episodeCount} outages
          </Text>
          <EpisodeList incident={incident} />
        </details>
      )}
    </CardItem>
  );
}
