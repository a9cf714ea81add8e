/** One incident: what failed, who was told, and what people did about it. */
import { Button, Stack } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useAct } from '../../shared/actions/use-act';
import type { Incident } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { Loading } from '../../shared/ui/loading';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { FirstResult } from './first-result';
import { IncidentAlerts } from './incident-alerts';
import { IncidentFacts } from './incident-facts';
import { IncidentState } from './incident-state';
import { IncidentTimeline } from './incident-timeline';
import { NoteForm } from './note-form';
import { TEXT } from './strings';

export function IncidentPage() {
  const { incidentId = '' } = useParams({ strict: false });
  const path = `/v1/incidents/${incidentId}`;
  const { data: incident, error } = useRead<Incident>(path);
  const mayWrite = useCan('write');
  if (error !== null && (incident?.id !== incidentId || error.status === 404))
    return <PageProblem problem={error} what="Incident" list="/incidents" />;
  if (incident === undefined) return <Loading />;
  return (
    <>
      <PageHead title={incident.resourceName} aside={<IncidentState state={incident.state} />}>
        {mayWrite && incident.acknowledgedAt === null && (
          <AcknowledgeButton path={path} isOpen={incident.state !== 'resolved'} />
        )}
      </PageHead>
      <Stack gap="xl">
        <IncidentFacts incident={incident} />
        <IncidentTimeline entries={incident.timeline} />
        {mayWrite && <NoteForm path={path} />}
        {incident.firstResultId !== null && incident.resourceType === 'monitor' && (
          <FirstResult incident={incident} />
        )}
        <IncidentAlerts incidentId={incident.id} />
      </Stack>
    </>
  );
}

interface AcknowledgeButtonProps {
  readonly path: string;
  /** Afterwards nobody waits for it. */
  readonly isOpen: boolean;
}

function AcknowledgeButton({ path, isOpen }: AcknowledgeButtonProps) {
  const { act, isPending } = useAct(['/v1/incidents']);
  const acknowledge = (): void =>
    act({ method: 'POST', path: `${path}/acknowledge` }, { done: TEXT.acknowledgedNow });
  return (
    <Button
      variant={isOpen ? 'filled' : 'default'}
      onClick={acknowledge}
      loading={isPending}
      leftSection={<IconUserCheck size={16} aria-hidden />}
    >
      {TEXT.acknowledge}
    </Button>
  );
}
