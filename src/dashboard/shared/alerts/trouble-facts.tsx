/** The facts and actions for a check that is down or degraded, in the same words on every page. */
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { SnoozeHour } from '../actions/snooze-hour';
import { useAcknowledge } from '../actions/use-acknowledge';
import type { Incident, Monitor, Result } from '../data/api-types';
import { useRead } from '../data/queries';
import { useCan } from '../data/session';
import { findLastFailure } from '../data/trouble';
import { FailingExchange, resultPath, useIsExchangeRead } from '../results/failing-exchange';
import { LastPassing } from '../results/last-passing';
import { RESULT_TEXT } from '../results/words';
import { AbsoluteTime } from '../text/time';
import { useNowMs } from '../text/use-now';
import { FlappingLine } from './flapping';
import { GuidanceNote, RunbookLink } from './guidance-note';

interface TroubleFactsProps extends Pick<Monitor, 'note' | 'runbookUrl' | 'currentIncidentId'> {
  readonly reason: string | undefined;
  /** The open incident. undefined if there is none, or until it is read. */
  readonly incident: Incident | undefined;
  readonly isIncidentAwaited: boolean;
  /** Links to further information. */
  readonly children?: ReactNode;
}

/** Shows the cause, the failing request and response, who is working on it, and what to do. */
export function TroubleFacts(props: TroubleFactsProps) {
  const { reason, incident, isIncidentAwaited, note } = props;
  const failed = incident && findLastFailure(incident);
  const isExchangeRead = useIsExchangeRead(failed);
  // Space is reserved while the incident loads, so that nothing below moves.
  const isAwaited = isIncidentAwaited || !isExchangeRead;
  return (
    <>
      {(reason !== undefined || isAwaited) && (
        <Stack gap={2} mih={isAwaited ? '4lh' : undefined} fz="sm">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {reason}
          </Text>
          {failed !== undefined && <FailingExchange failed={failed} />}
          {incident !== undefined && <Progress incident={incident} />}
        </Stack>
      )}
      <GuidanceNote note={note} />
      <Actions {...props} />
    </>
  );
}

/** Says who acknowledged or snoozed the incident, and whether its check is flapping. */
function Progress({ incident }: { readonly incident: Incident }) {
  const isSnoozed = useIsSnoozed(incident);
  const { acknowledgedAt, acknowledgedBy, snoozedBy, snoozedUntil } = incident;
  return (
    <>
      <FlappingLine incident={incident} />
      {acknowledgedAt !== null && (
        <Text size="sm">Acknowledged by {acknowledgedBy ?? 'someone'}</Text>
      )}
      {isSnoozed && snoozedUntil !== null && (
        <Text size="sm">
          Snoozed by {snoozedBy ?? 'someone'} until <AbsoluteTime at={snoozedUntil} />
        </Text>
      )}
    </>
  );
}

function useIsSnoozed(incident: Incident | undefined): boolean {
  const nowMs = useNowMs();
  return incident?.snoozedUntil != null && Date.parse(incident.snoozedUntil) > nowMs;
}

function Actions({ incident, currentIncidentId, runbookUrl, children }: TroubleFactsProps) {
  const canWrite = useCan('write');
  const { acknowledge } = useAcknowledge();
  const isSnoozed = useIsSnoozed(incident);
  const [isComparing, setIsComparing] = useState(false);
  const result = useFailedResult(incident);
  return (
    <>
      <Group gap="8px 16px" mt={4} lh="24px" fz="sm">
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
        <RunbookLink runbookUrl={runbookUrl} />
        {children}
        {result !== undefined && (
          <Anchor
            component="button"
            type="button"
            inherit
            aria-expanded={isComparing}
            onClick={() => setIsComparing(!isComparing)}
          >
            {RESULT_TEXT.compare}
          </Anchor>
        )}
      </Group>
      {isComparing && result !== undefined && (
        <Paper p="sm" mt="xs">
          <LastPassing result={result} />
        </Paper>
      )}
    </>
  );
}

/** Returns the first failing result of the outage, if its request can be compared with that of a passing result. */
function useFailedResult(incident: Incident | undefined): Result | undefined {
  const failed = incident && findLastFailure(incident);
  const id = failed?.firstResultId ?? null;
  const path = failed === undefined || id === null ? null : resultPath(failed.resourceId, id);
  const { data } = useRead<Result>(path ?? '', { enabled: path !== null });
  return data?.id === id && data?.request !== null ? data : undefined;
}
