/** Shows that a check is flapping, and which alerts are held back while it does (docs/alerts.md). */
import { Alert, Text } from '@mantine/core';
import { IconArrowsUpDown } from '@tabler/icons-react';
import { FLAPPING_MS, STAYS_DOWN_MS } from '../../../domain/alerting/flapping';
import type { Incident } from '../data/api-types';
import { absolute, calendarDay, clockTime } from '../text/time-text';
import { useNowMs } from '../text/use-now';

const MINUTE_MS = 60_000;
const STABLE_MINUTES = FLAPPING_MS / MINUTE_MS;
const LONG_MINUTES = STAYS_DOWN_MS / MINUTE_MS;

export const FLAPPING_TITLE = `Alerts are held back until it has been stable for ${STABLE_MINUTES} minutes`;

type Flapping = Pick<
  Incident,
  'isFlapping' | 'flappingSince' | 'state' | 'acknowledgedAt' | 'snoozedUntil'
>;

/** Renders nothing unless the check is flapping. */
export function FlappingLine({ incident }: { readonly incident: Flapping }) {
  const { isFlapping, flappingSince } = incident;
  const nowMs = useNowMs();
  if (!isFlapping) return null;
  return (
    <Text size="sm">
      Flapping{flappingSince !== null && <Since at={flappingSince} nowMs={nowMs} />}: alerts are
      held back until it has been stable for {STABLE_MINUTES} minutes
      {!isSilenced(incident, nowMs) && `, unless it stays down for ${LONG_MINUTES} minutes`}.
    </Text>
  );
}

/** Says in a strip on an incident's page that its alerts are held back. Renders nothing unless the check is flapping. */
export function FlappingStrip({ incident }: { readonly incident: Flapping }) {
  if (!incident.isFlapping) return null;
  return (
    <Alert
      variant="outline"
      color="orange"
      p="sm"
      icon={<IconArrowsUpDown aria-hidden color="var(--kw-degraded)" />}
      title={
        <Text span inherit c="var(--kw-degraded)">
          Alerts are held back
        </Text>
      }
    >
      <FlappingLine incident={incident} />
    </Alert>
  );
}

/** While an open incident is acknowledged or snoozed, not even a long outage sends an alert. */
function isSilenced({ state, acknowledgedAt, snoozedUntil }: Flapping, nowMs: number): boolean {
  if (state === 'resolved') return false;
  return acknowledgedAt !== null || (snoozedUntil !== null && Date.parse(snoozedUntil) > nowMs);
}

function Since({ at, nowMs }: { readonly at: string; readonly nowMs: number }) {
  const isToday = calendarDay(at) === calendarDay(new Date(nowMs).toISOString());
  return (
    <>
      {' since '}
      <time dateTime={at} title={absolute(at)}>
        {isToday ? clockTime(at) : absolute(at)}
      </time>
    </>
  );
}
