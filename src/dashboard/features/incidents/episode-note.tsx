/** The other incidents of the same episode: failures with less than five minutes of recovery between them. */
import { Alert, Anchor, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EPISODE_GAP_MS } from '../../../domain/health/episodes';
import { withQuery } from '../../shared/data/api';
import type { Incident, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { AbsoluteTime, lengthOf } from '../../shared/text/time';
import { episodeOf } from './story';

const AROUND_MS = 24 * 3_600_000;
const INCIDENTS_MAX = 200;

export function EpisodeNote({ incident }: { readonly incident: Incident }) {
  const { id, resourceId, openedAt, closedAt } = incident;
  const openedMs = Date.parse(openedAt);
  const { data } = useRead<Page<Incident>>(
    withQuery('/v1/incidents', {
      resourceId,
      from: new Date(openedMs - AROUND_MS).toISOString(),
      to: new Date(openedMs + AROUND_MS).toISOString(),
      limit: INCIDENTS_MAX,
    }),
  );
  const episode = episodeOf(data?.data ?? [], id);
  if (episode === null || episode.incidents.length < 2) return null;
  const minutes = EPISODE_GAP_MS / 60_000;
  return (
    <Alert
      variant="default"
      icon={<IconRepeat aria-hidden />}
      title={`Part of an episode of ${episode.incidents.length} incidents`}
    >
      <Text size="sm">
        Less than {minutes} minutes of recovery between them; down {lengthOf(episode.downSeconds)}{' '}
        in total{closedAt === null ? ' so far' : ''}.
      </Text>
      <ol style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {episode.incidents.toReversed().map((each) => (
          <Text component="li" size="sm" key={each.id}>
            {each.id === id ? (
              <b>
                <AbsoluteTime at={each.openedAt} /> (this one)
              </b>
            ) : (
              <Anchor component={Link} to={`/incidents/${each.id}`} size="sm">
                <AbsoluteTime at={each.openedAt} />
              </Anchor>
            )}
            , {lengthOf(each.durationSeconds)}
          </Text>
        ))}
      </ol>
    </Alert>
  );
}
