/** The progress of an incident on one line: opened, acknowledged or snoozed, resolved. */
import { Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { outageSince } from '../../shared/data/trouble';
import { AbsoluteTime, formatDuration } from '../../shared/text/time';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { StepTime } from './step-time';
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
          {episodeCount > 1 && ` · ${outagesWords(incident)} so far, with brief recoveries`}
        </>
      ) : (
        <>
          Opened <AbsoluteTime at={openedAt} /> · {TEXT.resolved.toLowerCase()}{' '}
          <StepTime at={closedAt} before={openedAt} />
          {episodeCount === 1
            ? ` after ${formatDuration(durationSeconds)}`
            : ` · ${outagesWords(incident)}, with brief recoveries`}
        </>
      )}
      <People incident={incident} nowMs={nowMs} />
    </Text>
  );
}

/** The duration leaves out the time between outages. */
function outagesWords({ episodeCount, durationSeconds }: Incident): string {
  return `${episodeCount} outages, ${formatDuration(durationSeconds)} down`;
}

interface PeopleProps {
  readonly incident: Incident;
  readonly nowMs: number;
}

/** Names the person who acknowledged or snoozed the incident, and shows the end of the snooze. */
function People({ incident, nowMs }: PeopleProps) {
  const { openedAt, acknowledgedAt, acknowledgedBy, closedAt } = incident;
  const { snoozedUntil, snoozedBy, snoozeReason } = incident;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > nowMs;
  if (acknowledgedAt !== null)
    return (
      <>
        {' · '}acknowledged <StepTime at={acknowledgedAt} before={openedAt} />{' '}
        <span>by {acknowledgedBy ?? 'someone'}</span>
      </>
    );
  if (closedAt !== null) return null;
  if (!isSnoozed) return <> · not acknowledged</>;
  return (
    <>
      {' · '}snoozed by {snoozedBy ?? 'someone'} until{' '}
      <StepTime at={snoozedUntil} before={openedAt} />
      {snoozeReason !== null && `: ${snoozeReason}`}
    </>
  );
}
