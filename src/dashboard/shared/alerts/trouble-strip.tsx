/** The strip above everything else on the page. Shows why a monitor or scenario is down or degraded, and since when. */
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SnoozeHour } from '../actions/snooze-hour';
import { useAcknowledge } from '../actions/use-acknowledge';
import type { Incident, Monitor } from '../data/api-types';
import { useRead } from '../data/queries';
import { useCan } from '../data/session';
import { findLastFailure, outageSince, troubleSince, type WithHealth } from '../data/trouble';
import { FailingExchange, useIsExchangeRead } from '../results/failing-exchange';
import { STATUS_WORDS } from '../text/strings';
import { AbsoluteTime } from '../text/time';
import { lengthSince } from '../text/time-text';
import { useNowMs } from '../text/use-now';
import { FlappingLine } from './flapping';
import { GuidanceNote, RunbookLink } from './guidance-note';
import classes from './trouble-strip.module.css';

interface TroubleStripProps {
  readonly resource: WithHealth &
    Pick<Monitor, 'status' | 'currentIncidentId' | 'runbookUrl' | 'note'>;
  /** Why the check is degraded, if that is known. */
  readonly slowness?: string | undefined;
  /** Links to further information. */
  readonly children?: ReactNode;
}

/** Shown only while the check is down or degraded. */
export function TroubleStrip({ resource, slowness, children }: TroubleStripProps) {
  const nowMs = useNowMs();
  const canWrite = useCan('write');
  const { acknowledge } = useAcknowledge();
  const { status, currentIncidentId } = resource;
  const { data, error } = useRead<Incident>(`/v1/incidents/${currentIncidentId}`, {
    enabled: currentIncidentId !== null,
  });
  // Until the incident is read, `data` may still belong to an earlier incident.
  const incident = data?.episodes.at(-1)?.id === currentIncidentId ? data : undefined;
  const isExchangeRead = useIsExchangeRead(incident && findLastFailure(incident));
  if (status !== 'down' && status !== 'degraded') return null;
  const failure = incident === undefined ? null : { since: outageSince(incident) };
  // Without the incident, the start of the outage is unknown.
  const isSinceKnown = currentIncidentId === null || failure !== null;
  const length = isSinceKnown && lengthSince(troubleSince({ ...resource, failure }), nowMs);
  const reason = incident?.cause?.message ?? (status === 'degraded' ? slowness : undefined);
  const failed = incident && findLastFailure(incident);
  // Space for the incident is reserved while it loads, so that nothing below moves.
  const isAwaited = currentIncidentId !== null && !error && !(incident && isExchangeRead);
  const isSnoozed = incident?.snoozedUntil != null && Date.parse(incident.snoozedUntil) > nowMs;
  const isDown = status === 'down';
  return (
    <Alert
      mb="md"
      role="alert"
      variant="outline"
      color={isDown ? 'red' : 'orange'}
      className={classes['strip'] ?? ''}
      data-status={status}
      icon={
        <IconAlertTriangle aria-hidden color={isDown ? 'var(--kw-down)' : 'var(--kw-degraded)'} />
      }
      title={
        <Text span inherit c={isDown ? 'var(--kw-down)' : 'var(--kw-degraded)'}>
          {STATUS_WORDS[status]}
          {length !== false && ` for ${length}`}
        </Text>
      }
    >
      {(reason !== undefined || isAwaited) && (
        <Stack gap={2} mih={isAwaited ? '4lh' : undefined} fz="sm">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {reason}
          </Text>
          {failed !== undefined && <FailingExchange failed={failed} />}
          {incident !== undefined && <FlappingLine incident={incident} />}
          {incident?.acknowledgedAt != null && (
            <Text size="sm">Acknowledged by {incident.acknowledgedBy ?? 'someone'}</Text>
          )}
          {isSnoozed && (
            <Text size="sm">
              Snoozed by {incident.snoozedBy ?? 'someone'} until{' '}
              <AbsoluteTime at={incident.snoozedUntil} />
            </Text>
          )}
        </Stack>
      )}
      <GuidanceNote note={resource.note} />
      <Group gap="md" mt={4} lh="24px">
        {incident?.state === 'open' && canWrite && (
          <Button
            size="compact-sm"
            leftSection={<IconUserCheck size={14} aria-hidden />}
            onClick={() => acknowledge({ id: incident.id, name: incident.resourceName })}
          >
            Acknowledge
          </Button>
        )}
        {incident !== undefined && incident.state !== 'resolved' && canWrite && !isSnoozed && (
          <SnoozeHour incidentId={incident.id} size="compact-sm" />
        )}
        {currentIncidentId !== null && (
          <Anchor component={Link} to={`/incidents/${currentIncidentId}`} inherit>
            View incident
          </Anchor>
        )}
        <RunbookLink runbookUrl={resource.runbookUrl} />
        {children}
      </Group>
    </Alert>
  );
}
