/**
 * The progress of an incident as facts: how long it was down, when it was opened and resolved, and who acknowledged it.
 */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Incident } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { outageSince, totalDownSeconds } from '../../shared/data/trouble';
import { STATUS_WORDS } from '../../shared/text/strings';
import { AbsoluteTime, formatDuration, PlannedTime, RelativeTime } from '../../shared/text/time';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { CheckAgain } from './check-again';
import classes from './incidents.module.css';
import { StepTime } from './step-time';
import { splitStory } from './story';
import { TEXT } from './strings';
import { type FoundCheck, usePrevious } from './use-check';

export interface IncidentStepsProps extends Pick<FoundCheck, 'check'> {
  readonly incident: Incident;
}

export function IncidentSteps({ incident, check }: IncidentStepsProps) {
  const nowMs = useNowMs();
  const previous = usePrevious(incident);
  const isCheck = incident.identityProvider === null;
  const facts = [
    ...listFacts(incident, nowMs),
    ...(isCheck ? [describeCheck(check, incident), describePrevious(previous)] : []),
  ].filter((fact) => fact !== null);
  return (
    <dl className={classes['facts']} aria-label="Progress">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Fact = readonly [name: string, value: ReactNode];

function listFacts(incident: Incident, nowMs: number): readonly (Fact | null)[] {
  const { openedAt, closedAt, episodeCount } = incident;
  const total = formatDuration(totalDownSeconds(incident, nowMs));
  const opened: Fact = ['Opened', <AbsoluteTime key="opened" at={openedAt} />];
  const people = [describeAcknowledgement(incident), describeSnooze(incident, nowMs)];
  if (closedAt === null)
    return [
      ['Down for', lengthSince(outageSince(incident), nowMs)],
      episodeCount > 1 ? ['In total', TEXT.outages(total, episodeCount)] : null,
      opened,
      ...people,
    ];
  return [
    ['Down for', episodeCount > 1 ? TEXT.outages(total, episodeCount) : total],
    opened,
    [TEXT.resolved, <StepTime key="resolved" at={closedAt} before={openedAt} />],
    ...people,
  ];
}

/** Describes how the check is now. Returns null for a deleted check. */
function describeCheck(check: FoundCheck['check'], incident: Incident): Fact | null {
  if (check === null) return null;
  if (check === undefined) return [TEXT.now, '–'];
  const { status, lastCheckedAt, currentIncidentId } = check;
  const { closedAt, episodes } = incident;
  const isLater = !episodes.some(({ id }) => id === currentIncidentId);
  if (status === 'down' && closedAt !== null && currentIncidentId !== null && isLater)
    return [TEXT.now, <DownAgain key="now" id={currentIncidentId} before={closedAt} />];
  const verb = !('type' in check) ? 'ran' : check.type === 'heartbeat' ? 'pinged' : 'checked';
  return [
    TEXT.now,
    <>
      {STATUS_WORDS[status]}
      {lastCheckedAt !== null && (
        <>
          , {verb} <RelativeTime at={lastCheckedAt} />
        </>
      )}{' '}
      {closedAt === null && <CheckAgain check={check} />}
    </>,
  ];
}

interface DownAgainProps {
  /** The id of the open incident. */
  readonly id: string;
  /** When the incident of the page was resolved. */
  readonly before: string;
}

/** Leads from a resolved incident to the open incident of its check. */
function DownAgain({ id, before }: DownAgainProps) {
  const path = `/incidents/${id}`;
  const { data } = useRead<Incident>(`/v1${path}`);
  // The data may still belong to an earlier incident.
  const open = data?.episodes.at(-1)?.id === id ? data : undefined;
  return (
    <>
      {TEXT.downAgain}
      {open !== undefined && (
        <>
          {' '}
          since <StepTime at={outageSince(open)} before={before} />
        </>
      )}
      ,{' '}
      <Anchor component={Link} to={path} inherit>
        {TEXT.seeOpen}
      </Anchor>
    </>
  );
}

function describePrevious(previous: Incident | null | undefined): Fact {
  if (!previous) return [TEXT.previous, previous === null ? 'none' : '–'];
  return [
    TEXT.previous,
    <>
      <Anchor component={Link} to={`/incidents/${previous.id}`} inherit>
        <PlannedTime at={previous.openedAt} />
      </Anchor>
      , <span style={{ whiteSpace: 'nowrap' }}>{formatDuration(previous.durationSeconds)}</span>
    </>,
  ];
}

/** Returns null for a resolved incident that no one acknowledged. */
function describeAcknowledgement(incident: Incident): Fact | null {
  const { openedAt, acknowledgedAt, acknowledgedBy, closedAt } = incident;
  if (acknowledgedAt !== null)
    return [
      TEXT.acknowledged,
      <>
        <StepTime at={acknowledgedAt} before={openedAt} />{' '}
        <span>by {acknowledgedBy ?? 'someone'}</span>
      </>,
    ];
  const earlier = describeEarlier(incident);
  if (closedAt !== null && earlier === null) return null;
  return [TEXT.acknowledged, earlier ?? TEXT.notAcknowledged];
}

/** Describes the last acknowledgement of an earlier outage, which ended when the check recovered. */
function describeEarlier(incident: Incident): ReactNode {
  const entries = incident.timeline.filter(
    ({ kind }) => kind === 'acknowledged' || kind === 'unacknowledged',
  );
  const last = entries.at(-1);
  if (last?.kind !== 'acknowledged') return null;
  const part = splitStory(incident, entries).findLast((each) => each.entries.includes(last));
  const outage = part?.outage ?? null;
  const earlier = (
    <>
      {outage !== null && `outage ${outage} `}
      {last.text.replace(/^Acknowledged /, '')},{' '}
      <StepTime at={last.at} before={incident.openedAt} />
    </>
  );
  if (incident.closedAt !== null) return earlier;
  return (
    <>
      {TEXT.notAcknowledged} ({earlier})
    </>
  );
}

function describeSnooze(incident: Incident, nowMs: number): Fact | null {
  const { openedAt, snoozedUntil, snoozedBy, snoozeReason } = incident;
  if (snoozedUntil === null || Date.parse(snoozedUntil) <= nowMs) return null;
  return [
    'Snoozed',
    <>
      until <StepTime at={snoozedUntil} before={openedAt} />{' '}
      <span>by {snoozedBy ?? 'someone'}</span>
      {snoozeReason !== null && `: ${snoozeReason}`}
    </>,
  ];
}
