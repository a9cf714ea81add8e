/** The progress of an incident as facts: how long it was down, when it was opened and resolved, and who is on it. */
import type { ReactNode } from 'react';
import type { Incident } from '../../shared/data/api-types';
import { outageSince, totalDownSeconds } from '../../shared/data/trouble';
import { AbsoluteTime, formatDuration } from '../../shared/text/time';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import classes from './incidents.module.css';
import { StepTime } from './step-time';
import { splitStory } from './story';
import { TEXT } from './strings';

export function IncidentSteps({ incident }: { readonly incident: Incident }) {
  const nowMs = useNowMs();
  return (
    <dl className={classes['facts']} aria-label="Progress">
      {listFacts(incident, nowMs).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Fact = readonly [name: string, value: ReactNode];

function listFacts(incident: Incident, nowMs: number): readonly Fact[] {
  const { openedAt, closedAt, episodeCount } = incident;
  const total = formatDuration(totalDownSeconds(incident, nowMs));
  const opened: Fact = ['Opened', <AbsoluteTime key="opened" at={openedAt} />];
  const people = [describeAcknowledgement(incident), describeSnooze(incident, nowMs)];
  const facts: readonly (Fact | null)[] =
    closedAt === null
      ? [
          ['Down for', lengthSince(outageSince(incident), nowMs)],
          episodeCount > 1 ? ['In total', TEXT.outages(total, episodeCount)] : null,
          opened,
          ...people,
        ]
      : [
          ['Down for', episodeCount > 1 ? TEXT.outages(total, episodeCount) : total],
          opened,
          [TEXT.resolved, <StepTime key="resolved" at={closedAt} before={openedAt} />],
          ...people,
        ];
  return facts.filter((fact) => fact !== null);
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

/** Describes the last acknowledgement of an earlier outage. It ended when the check recovered. */
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
