/** The strip above everything else on the page. Shows why a monitor or scenario is down or degraded, and since when. */
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Monitor } from '../data/api-types';
import { outageSince, troubleSince, type WithHealth } from '../data/trouble';
import { STATUS_WORDS } from '../text/strings';
import { lengthSince } from '../text/time-text';
import { useNowMs } from '../text/use-now';
import { TroubleFacts } from './trouble-facts';
import classes from './trouble-strip.module.css';
import { useOpenIncident } from './use-open-incident';

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
  const { status, currentIncidentId } = resource;
  const { incident, isAwaited } = useOpenIncident(resource);
  if (status !== 'down' && status !== 'degraded') return null;
  const failure = incident === undefined ? null : { since: outageSince(incident) };
  // Without the incident, the start of the outage is unknown.
  const isSinceKnown = currentIncidentId === null || failure !== null;
  const length = isSinceKnown && lengthSince(troubleSince({ ...resource, failure }), nowMs);
  const color = status === 'down' ? 'var(--kw-down)' : 'var(--kw-degraded)';
  return (
    <Alert
      mb="md"
      role="alert"
      variant="outline"
      color={status === 'down' ? 'red' : 'orange'}
      className={classes['strip'] ?? ''}
      data-status={status}
      icon={<IconAlertTriangle aria-hidden color={color} />}
      title={
        <Text span inherit c={color}>
          {STATUS_WORDS[status]}
          {length !== false && ` for ${length}`}
        </Text>
      }
    >
      <TroubleFacts
        {...resource}
        reason={incident?.cause?.message ?? (status === 'degraded' ? slowness : undefined)}
        incident={incident}
        isIncidentAwaited={isAwaited}
      >
        {children}
      </TroubleFacts>
    </Alert>
  );
}
