/** The episodes of an incident, newest first: when each began, and how long it lasted. */
import { Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { formatDuration } from '../../shared/text/time';
import { StepTime } from './step-time';

export function EpisodeList({ incident }: { readonly incident: Incident }) {
  const { episodes, episodeCount } = incident;
  const earlier = episodeCount - episodes.length;
  return (
    <>
      <ol reversed start={episodeCount} style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {episodes.toReversed().map(({ id, startedAt, resolvedAt, durationSeconds }, index, all) => (
          <Text component="li" size="sm" key={id}>
            <StepTime at={startedAt} before={all[index - 1]?.startedAt} />,{' '}
            {formatDuration(durationSeconds)}
            {resolvedAt === null && ' so far'}
          </Text>
        ))}
      </ol>
      {earlier > 0 && (
        <Text size="sm" c="dimmed">
          {earlier} earlier
        </Text>
      )}
    </>
  );
}
