/** The outages of an incident on a time line, which shows their pattern: when each began, and how long it lasted. */
import { Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { clockTime } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import classes from './incidents.module.css';
import { positionOutages } from './position-outages';

interface OutageStripProps {
  readonly incident: Pick<Incident, 'episodes' | 'episodeCount' | 'closedAt'>;
}

export function OutageStrip({ incident }: OutageStripProps) {
  const { fromMs, toMs, parts } = positionOutages(incident, useNowMs());
  const formatTime = (ms: number): string => clockTime(new Date(ms).toISOString());
  return (
    <figure
      className={classes['strip']}
      aria-label={`${parts.length} outages from ${formatTime(fromMs)} to ${formatTime(toMs)}`}
    >
      <div className={classes['stripLine']}>
        {parts.map(({ id, left, width }) => (
          <span key={id} style={{ left: `${left}%`, width: `${width}%` }} />
        ))}
      </div>
      <Text component="figcaption" size="xs" c="dimmed" className={classes['stripTimes'] ?? ''}>
        <span>{formatTime(fromMs)}</span>
        <span>red: down</span>
        <span>{formatTime(toMs)}</span>
      </Text>
    </figure>
  );
}
