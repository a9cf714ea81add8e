/** One incident: its failure, its notifications, and the actions that users can take. */
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { FlappingStrip } from '../../shared/alerts/flapping';
import { GuidanceNote, RunbookLink } from '../../shared/alerts/guidance-note';
import { PostDraftsNote } from '../../shared/alerts/post-drafts-note';
import { Marks } from '../../shared/charts/mark-list';
import { useMarks } from '../../shared/charts/use-marks';
import type { Incident, Monitor, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan, useMayRead } from '../../shared/data/session';
import { findLastFailure } from '../../shared/data/trouble';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { FailingExchange, useIsExchangeRead } from '../../shared/results/failing-exchange';
import { LastPassing } from '../../shared/results/last-passing';
import { Heading } from '../../shared/ui/heading';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { Trail } from '../../shared/ui/trail';
import { Explanation } from './explanation';
import { FirstResult } from './first-result';
import { IncidentActions } from './incident-actions';
import { IncidentState } from './incident-state';
import { IncidentSteps } from './incident-steps';
import { IncidentTimeline } from './incident-timeline';
import { JobReports } from './job-reports';
import { NoteForm } from './note-form';
import { OutageChart } from './outage-chart';
import { SUBJECT_WORDS, TEXT } from './strings';
import { useOpenInPrint } from './use-open-in-print';

const BEFORE_MS = 3_600_000;

/**
 * Shows what changed before an incident: edits and labelled runs in the hour before, and how the response of the latest
 * outage differs from the last passing result.
 */
function ChangesBefore({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId, openedAt, episodeCount } = incident;
  const { firstResultId } = findLastFailure(incident);
  const openedMs = Date.parse(openedAt);
  const from = new Date(openedMs - BEFORE_MS).toISOString();
  const marks = useMarks({
    kind: resourceType === 'scenario' ? 'scenarios' : 'monitors',
    id: resourceId,
    from,
    to: openedAt,
  }).filter(
    ({ kind, atMs }) => kind !== 'incident' && atMs >= openedMs - BEFORE_MS && atMs <= openedMs,
  );
  // Only admins may read the audit trail, which contains the edits.
  const isAdmin = useMayRead('admin');
  const result = useFirstResult(resourceType === 'monitor' ? resourceId : null, firstResultId);
  // Heartbeats have no response to compare.
  const hasResponse = result !== undefined && result.request !== null;
  if (marks.length === 0 && !hasResponse) return null;
  return (
    <Paper component="section" withBorder p="md">
      <Stack gap="xs">
        <Heading>What changed</Heading>
        {marks.length > 0 && <Marks marks={marks} />}
        {marks.length === 0 && isAdmin && (
          <Text size="sm" c="dimmed">
            {TEXT.noEdits(episodeCount)}
          </Text>
        )}
        {hasResponse && (
          <LastPassing
            result={result}
            words={{ passing: TEXT.lastPassing(episodeCount), result: TEXT.firstResult }}
          />
        )}
      </Stack>
    </Paper>
  );
}

function useFirstResult(monitorId: string | null, resultId: string | null): Result | undefined {
  const path = `/v1/monitors/${monitorId}/results/${encodeURIComponent(resultId ?? '')}`;
  const { data } = useRead<Result>(path, { enabled: monitorId !== null && resultId !== null });
  return data?.id === resultId ? data : undefined;
}

export function IncidentPage() {
  const { incidentId = '' } = useParams({ strict: false });
  const path = `/v1/incidents/${incidentId}`;
  const { data: incident, error, isPlaceholderData } = useRead<Incident>(path);
  const mayWrite = useCan('write');
  useOpenInPrint();
  const isExchangeRead = useIsExchangeRead(
    isPlaceholderData || incident === undefined ? undefined : findLastFailure(incident),
  );
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
      <PageHead title={incident.resourceName} aside={<IncidentState incident={incident} />}>
        {mayWrite && incident.state !== 'resolved' && (
          <Group gap="xs" data-touch>
            <IncidentActions incident={incident} path={path} />
          </Group>
        )}
      </PageHead>
      <PostDraftsNote of={`incidentId=${incident.id}`} />
      <Stack gap="xl">
        <IncidentFacts incident={incident} />
        <FlappingStrip incident={incident} />
        {incident.identityProvider === null && (
          <>
            <ChangesBefore incident={incident} />
            <Outage incident={incident} />
          </>
        )}
        <IncidentTimeline incident={incident} />
        <Explanation path={path} incident={incident} />
        {mayWrite && <NoteForm path={path} />}
        {findLastFailure(incident).firstResultId !== null &&
          incident.resourceType === 'monitor' && <FirstResult incident={incident} />}
      </Stack>
    </>
  );
}

/** The top of an incident's page: its cause, request and response, guidance, and progress. */
function IncidentFacts({ incident }: { readonly incident: Incident }) {
  const { cause, regions, runbookUrl, note } = incident;
  return (
    <Paper component="section" withBorder p="md">
      <Stack gap="xs">
        <Heading>What happened</Heading>
        <Text fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {cause?.message ?? TEXT.unknownCause}
        </Text>
        <FailingExchange failed={findLastFailure(incident)} />
        <GuidanceNote note={note} />
        {runbookUrl !== null && (
          <Text size="sm">
            <RunbookLink runbookUrl={runbookUrl} />
          </Text>
        )}
        <IncidentSteps incident={incident} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <SubjectLine incident={incident} />
          {regions.length > 0 && ` · failed in ${regions.join(', ')}`}
        </Text>
      </Stack>
    </Paper>
  );
}

/** The measurements around an incident: response times, or the reports of a heartbeat's job. */
function Outage({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId } = incident;
  const isMonitor = resourceType === 'monitor';
  const { data: monitor, error } = useRead<Monitor>(`/v1/monitors/${resourceId}`, {
    enabled: isMonitor,
  });
  if (!isMonitor) return <OutageChart incident={incident} />;
  // Nothing is shown for a deleted monitor, because its data is deleted, too.
  if (error?.status === 404) return null;
  // The data may still belong to the previous monitor.
  if (monitor?.id !== resourceId) return <Unread of={{ data: undefined, error }} />;
  if (monitor.type === 'heartbeat') return <JobReports monitor={monitor} incident={incident} />;
  return <OutageChart incident={incident} />;
}

/** A link to the check or identity provider that an incident is about. */
function SubjectLine({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId, resourceName, identityProvider } = incident;
  if (identityProvider === null)
    return (
      <>
        {SUBJECT_WORDS[resourceType]}:{' '}
        <Anchor component={Link} to={`/${resourceType}s/${resourceId}`} inherit>
          {resourceName}
        </Anchor>
      </>
    );
  const { tokenUrl, checkCount, checks } = identityProvider;
  const others = checkCount - checks.length;
  return (
    <>
      {SUBJECT_WORDS[resourceType]}: {tokenUrl}. Checks that could not sign in ({checkCount}):{' '}
      {checks.map((check, index) => (
        <span key={check.resourceId}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/${check.resourceType}s/${check.resourceId}`} inherit>
            {check.resourceName}
          </Anchor>
        </span>
      ))}
      {others > 0 && ` and ${others} others`}
    </>
  );
}
