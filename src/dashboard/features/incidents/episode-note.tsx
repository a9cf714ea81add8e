/** The episodes of an incident: failures with hardly a recovery between them. Nothing for a single one. */
import { Alert, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import type { Incident } from '../../shared/data/api-types';
import { lengthOf } from '../../shared/text/time';
import { EpisodeList } from './episode-list';

export function EpisodeNote({ incident }: { readonly incident: Incident }) {
  const { episodeCount, durationSeconds, closedAt } = incident;
  if (episodeCount < 2) return null;
  return (
    <Alert variant="default" icon={<IconRepeat aria-hidden />} title={`${episodeCount} outages`}>
      <Text size="sm">
        It recovered in between, but only briefly. Down {lengthOf(durationSeconds)} in total
        {closedAt === null ? ' so far' : ''}.
      </Text>
      <EpisodeList incident={incident} />
    </Alert>
  );
}
