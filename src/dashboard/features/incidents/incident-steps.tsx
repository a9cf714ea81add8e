/** The progress of an incident on one line: opened, acknowledged or snoozed, resolved. */
import { Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { outageSince } from '../../shared/data/trouble';
import { AbsoluteTime, formatDuration } from '../../shared/text/time';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { TEXT } from './strings';

export function IncidentSteps({ incident }: { readonly incident: Incident }) {
  const { openedAt, closedAt, durationSeconds, episodeCount } = incident;
  const nowMs = useNowMs();
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {closedAt === null ? (
        <>
          Down for {lengthSince(outageSince(incident), nowMs)} · opened{' '}
          <AbsoluteTime at={openedAt} />
        </>
      ) : (
        <>
          Opened <AbsoluteTime at={openedAt} /> · {TEXT.resolved.toLowerCase()}{' '}
          <AbsoluteTime at={closedAt} />
          {/* The duration leaves out the time between outages. */}
          {episodeCount === 1 ? ' after ' : ', down for '}
          {formatDuration(durationSeconds)}
          {episodeCount > 1 && ' in total'}
        </>
      )}
      <People incident={incident} nowMs={nowMs} />
    </Text>
  );
}

interface PeopleProps {
  readonly incident: Incident;
  readonly nowMs: number;
}

/** Names the person who acknowledged or snoozed the incident, and shows the end of the snooze. */
function People({ incident, nowMs }: PeopleProps) {
  const { acknowledgedAt, acknowledgedBy, closedAt } = incident;
  const { snoozedUntil, snoozedBy, snoozeReason } = incident;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > nowMs;
  if (acknowledgedAt !== null)
    return (
      <>
        {' · '}acknowledged <AbsoluteTime at={acknowledgedAt} />{' '}
        <span>by {acknowledgedBy ?? 'someone'}</span>
      </>
    );
  if (closedAt !== null) return null;
  if (!isSnoozed) return <> · not acknowledged</>;
  return (
    <>
      {' · '}snoozed by {snoozedBy ?? 'someone'} until <AbsoluteTime at={snoozedUntil} />
      {snoozeReason !== null && `: ${snoozeReason}`}
    </>
  );
}
