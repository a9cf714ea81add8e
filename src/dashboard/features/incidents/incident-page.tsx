/** One incident: its failure, its notifications, and the actions that users can take. */
import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { FlappingStrip } from '../../shared/alerts/flapping';
import { GuidanceNote, RunbookLink } from '../../shared/alerts/guidance-note';
import { PostDraftsNote } from '../../shared/alerts/post-drafts-note';
import { Marks } from '../../shared/charts/mark-list';
import { useMarks } from '../../shared/charts/use-marks';
import type { Incident, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan, useMayRead } from '../../shared/data/session';
import { findLastFailure } from '../../shared/data/trouble';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { ExpectedPing } from '../../shared/results/expected-ping';
import { FailingExchange, useIsExchangeRead } from '../../shared/results/failing-exchange';
import { JobReports } from '../../shared/results/job-reports';
import { LastPassing } from '../../shared/results/last-passing';
import { Heading } from '../../shared/ui/heading';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { Trail } from '../../shared/ui/trail';
import { Explanation } from './explanation';
import { FirstResult } from './first-result';
import { IncidentActions } from './incident-actions';
import { IncidentState } from './incident-state';
import { IncidentSteps, type IncidentStepsProps } from './incident-steps';
import { IncidentTimeline } from './incident-timeline';
import { NoteForm } from './note-form';
import { OutageChart } from './outage-chart';
import { OutageStrip } from './outage-strip';
import { PostUpdate, useStatusPages } from './post-update';
import { nameSubject, TEXT } from './strings';
import { type FoundCheck, useCheck } from './use-check';
import { useOpenInPrint } from './use-open-in-print';

const BEFORE_MS = 3_600_000;
const SECOND_MS = 1_000;

/**
 * Shows what changed before an incident: edits and labelled runs in the hour before. Also shows how the response of the
 * latest outage differs from the last passing result.
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
  const found = useCheck(incident);
  const { pages, isAwaited: arePagesAwaited } = useStatusPages();
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
  if (incident === undefined || isPlaceholderData) return <PageLoading />;
  // The page also waits for data that adds buttons, because they would move what is below.
  if (!isExchangeRead || found.isAwaited || arePagesAwaited) return <PageLoading />;
  return (
    <>
      <Trail pages={[{ to: '/incidents', label: 'Incidents' }]} />
      <PageHead title={incident.resourceName} aside={<IncidentState incident={incident} />}>
        {mayWrite && incident.state !== 'resolved' && (
          <IncidentActions incident={incident} path={path} />
        )}
        {mayWrite && <PostUpdate incident={incident} pages={pages} />}
      </PageHead>
      <PostDraftsNote of={`incidentId=${incident.id}`} />
      <Stack gap="xl">
        <IncidentFacts incident={incident} check={found.check} />
        <FlappingStrip incident={incident} />
        {incident.identityProvider === null && (
          <>
            <ChangesBefore incident={incident} />
            <Outage incident={incident} found={found} />
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
function IncidentFacts({ incident, check }: IncidentStepsProps) {
  const { cause, regions, runbookUrl, note } = incident;
  return (
    <Paper component="section" withBorder p="md">
      <Stack gap="xs">
        <Heading>What happened</Heading>
        <Text fw={600} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {cause?.message ?? TEXT.unknownCause}
        </Text>
        <FailingExchange failed={findLastFailure(incident)} />
        <GuidanceNote note={note} label={TEXT.checkNote} />
        {runbookUrl !== null && (
          <Text size="sm">
            <RunbookLink runbookUrl={runbookUrl} />
          </Text>
        )}
        <IncidentSteps incident={incident} check={check} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <SubjectLine incident={incident} />
          {regions.length > 0 && ` · failed in ${regions.join(', ')}`}
        </Text>
      </Stack>
    </Paper>
  );
}

interface OutageProps {
  readonly incident: Incident;
  readonly found: FoundCheck;
}

/** The measurements around an incident: response times, or the reports of a heartbeat's job. */
function Outage({ incident, found: { check, error } }: OutageProps) {
  const { resourceType, closedAt, episodeCount } = incident;
  // Nothing is shown for a deleted check, because its results are deleted, too.
  if (check === null) return null;
  // Only monitors can be heartbeats.
  if (check === undefined && resourceType === 'monitor')
    return <Unread of={{ data: check, error }} />;
  if (check === undefined || !('type' in check) || check.type !== 'heartbeat')
    return <OutageChart incident={incident} />;
  // The reports end one second after the incident, so that they include the ping that resolved it.
  const to = closedAt && new Date(Date.parse(closedAt) + SECOND_MS).toISOString();
  return (
    <JobReports monitorId={check.id} to={to}>
      {episodeCount > 1 && <OutageStrip incident={incident} />}
      {/* The next ping says nothing about an incident that is over. */}
      {closedAt === null && <ExpectedPing monitor={check} />}
    </JobReports>
  );
}

/** A link to the check or identity provider that an incident is about. */
function SubjectLine({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId, resourceName, identityProvider } = incident;
  if (identityProvider === null)
    return (
      <>
        {nameSubject(incident)}:{' '}
        <Anchor component={Link} to={`/${resourceType}s/${resourceId}`} inherit>
          {resourceName}
        </Anchor>
      </>
    );
  const { tokenUrl, checkCount, checks } = identityProvider;
  const others = checkCount - checks.length;
  return (
    <>
      {nameSubject(incident)}: {tokenUrl}. Checks that could not sign in ({checkCount}):{' '}
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
