/** The episodes of an incident on one line that expands. Renders nothing for a single episode. */
import { Paper, Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { AbsoluteTime, formatDuration } from '../../shared/text/time';
import { EpisodeList } from './episode-list';

export function EpisodeNote({ incident }: { readonly incident: Incident }) {
  const { episodeCount, episodes, durationSeconds, closedAt } = incident;
  const last = episodes.at(-1);
  if (episodeCount < 2 || last === undefined) return null;
  return (
    <Paper component="details" withBorder p="md" fz="sm">
      <summary style={{ cursor: 'pointer' }}>
        <b>{episodeCount} outages</b>, {formatDuration(durationSeconds)} down
        {closedAt === null ? ' so far, the last since ' : ', the last at '}
        <AbsoluteTime at={last.startedAt} />
      </summary>
      <Text size="sm" mt="xs">
        It recovered in between, but only briefly.
      </Text>
      <EpisodeList incident={incident} />
    </Paper>
  );
}
