/** The progress of an incident on one line: opened, acknowledged or snoozed, resolved. */
import { Text } from '@mantine/core';
import type { Incident } from '../../shared/data/api-types';
import { outageSince, totalDownSeconds } from '../../shared/data/trouble';
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
          {episodeCount > 1 && ` · ${outagesWords(incident, nowMs)} so far, with brief recoveries`}
        </>
      ) : (
        <>
          Opened <AbsoluteTime at={openedAt} /> · {TEXT.resolved.toLowerCase()}{' '}
          <StepTime at={closedAt} before={openedAt} />
          {episodeCount === 1
            ? ` after ${formatDuration(durationSeconds)}`
            : ` · ${outagesWords(incident, nowMs)}, with brief recoveries`}
        </>
      )}
      <People incident={incident} nowMs={nowMs} />
    </Text>
  );
}

/** The duration leaves out the time between outages. */
function outagesWords(incident: Incident, nowMs: number): string {
  const length = formatDuration(totalDownSeconds(incident, nowMs));
  return `${incident.episodeCount} outages, ${length} down`;
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
  if (!isSnoozed)
    return (
      <>
        {closedAt === null && ' · not acknowledged'}
        <EarlierAcknowledgement incident={incident} />
      </>
    );
  return (
    <>
      {' · '}snoozed by {snoozedBy ?? 'someone'} until{' '}
      <StepTime at={snoozedUntil} before={openedAt} />
      {snoozeReason !== null && `: ${snoozeReason}`}
    </>
  );
}

/** Shows the last acknowledgement of an earlier outage, which ended when the check recovered. */
function EarlierAcknowledgement({
  incident: { timeline, openedAt },
}: {
  readonly incident: Incident;
}) {
  const last = timeline.findLast(
    ({ kind }) => kind === 'acknowledged' || kind === 'unacknowledged',
  );
  if (last?.kind !== 'acknowledged') return null;
  return (
    <>
      {' · '}earlier outage {last.text.charAt(0).toLowerCase() + last.text.slice(1)}{' '}
      <StepTime at={last.at} before={openedAt} />
    </>
  );
}
