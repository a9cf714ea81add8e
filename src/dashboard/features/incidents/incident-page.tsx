/** One incident: its failure, its notifications, and the actions of people. */
import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { PostDraftsNote } from '../../shared/alerts/post-drafts-note';
import type { Incident } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { useIsExchangeRead } from '../../shared/results/failing-exchange';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { Trail } from '../../shared/ui/trail';
import { ChangesBefore } from './changes-before';
import { EpisodeNote } from './episode-note';
import { Explanation } from './explanation';
import { FirstResult } from './first-result';
import { IncidentActions } from './incident-actions';
import { IncidentFacts } from './incident-facts';
import { IncidentState } from './incident-state';
import { IncidentTimeline } from './incident-timeline';
import { NoteForm } from './note-form';
import { Outage } from './outage';

export function IncidentPage() {
  const { incidentId = '' } = useParams({ strict: false });
  const path = `/v1/incidents/${incidentId}`;
  const { data: incident, error, isPlaceholderData } = useRead<Incident>(path);
  const mayWrite = useCan('write');
  const isExchangeRead = useIsExchangeRead(isPlaceholderData ? undefined : incident);
  if (error !== null && (isPlaceholderData || incident === undefined || error.status === 404))
    return (
      <PageProblem
        problem={error}
        what="Incident"
        trail={[{ to: '/incidents', label: 'Incidents' }]}
      />
    );
  // The data may still belong to the previous incident.
  if (incident === undefined || isPlaceholderData || !isExchangeRead) return <PageLoading />;
  return (
    <>
      <Trail pages={[{ to: '/incidents', label: 'Incidents' }]} />
      <PageHead title={incident.resourceName} aside={<IncidentState state={incident.state} />} />
      <PostDraftsNote of={`incidentId=${incident.id}`} />
      <Stack gap="xl">
        <IncidentFacts incident={incident}>
          {mayWrite && <IncidentActions incident={incident} path={path} />}
        </IncidentFacts>
        <EpisodeNote incident={incident} />
        {incident.identityProvider === null && (
          <>
            <ChangesBefore incident={incident} />
            <Outage incident={incident} />
          </>
        )}
        <IncidentTimeline incident={incident} />
        {mayWrite && <NoteForm path={path} />}
        <Explanation incident={incident} path={path} />
        {incident.firstResultId !== null && incident.resourceType === 'monitor' && (
          <FirstResult incident={incident} />
        )}
      </Stack>
    </>
  );
}
