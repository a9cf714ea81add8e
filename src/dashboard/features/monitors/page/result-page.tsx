/** The page of one result, compared with the last passing result. */
import { Button, Grid, Group, Paper } from '@mantine/core';
import { IconLink, IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { isNetworkMethod } from '../../../../contracts/kinds';
import { useCheckNow } from '../../../shared/actions/use-check-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import type { Monitor, Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { curlText } from '../../../shared/results/curl-text';
import { FailureButtons } from '../../../shared/results/failure-buttons';
import { IncidentLink } from '../../../shared/results/incident-link';
import { LastPassing } from '../../../shared/results/last-passing';
import { ResultView } from '../../../shared/results/result-view';
import { absolute } from '../../../shared/text/time';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';
import { Heading } from '../../../shared/ui/heading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import classes from './monitor-head.module.css';

export function ResultPage() {
  const { monitorId = '', resultId = '' }: Record<string, string> = useParams({ strict: false });
  const path = `/v1/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
  const { data: result, error: ofResult } = useRead<Result>(path);
  const { data: monitor, error: ofMonitor } = useRead<Monitor>(`/v1/monitors/${monitorId}`);
  const error = ofResult ?? ofMonitor;
  const isRead = result?.id === resultId && monitor?.id === monitorId;
  if (error !== null && (!isRead || error.status === 404))
    return (
      <PageProblem
        problem={error}
        what="Result"
        trail={[
          { to: '/monitors', label: 'Monitors' },
          { to: `/monitors/${monitorId}`, label: 'Monitor' },
        ]}
      />
    );
  // The data may still belong to the previous page.
  if (!isRead) return <PageLoading />;
  const hasDiff = !result.ok && monitor.type !== 'heartbeat';
  return (
    <>
      <Trail
        pages={[
          { to: '/monitors', label: 'Monitors' },
          { to: `/monitors/${monitorId}`, label: monitor.name },
          { to: `/monitors/${monitorId}`, label: 'Results', search: { tab: 'results' } },
        ]}
      />
      <PageHead title={`Result of ${monitor.name}, ${absolute(result.startedAt ?? result.slot)}`}>
        <CheckNow monitor={monitor} />
        {result.status === 'down' && <IncidentLink resourceId={monitorId} slot={result.slot} />}
        <Failures result={result} />
      </PageHead>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: hasDiff ? 6 : 12 }}>
          <Paper component="section" withBorder p="md" aria-labelledby="evidence">
            <Group justify="space-between" gap="xs" mb="sm">
              <Heading id="evidence">Evidence</Heading>
              <Copies result={result} />
            </Group>
            <ResultView result={result} />
          </Paper>
        </Grid.Col>
        {hasDiff && (
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <Paper component="section" withBorder p="md" aria-labelledby="last-passing">
              <Heading mb="sm" id="last-passing">
                Diff with last passing
              </Heading>
              <LastPassing result={result} />
            </Paper>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** Renders nothing for a heartbeat, because no one can check it, and while the monitor is paused. */
function CheckNow({ monitor }: { readonly monitor: Monitor }) {
  const canRun = useCan('run');
  const checkNow = useCheckNow('“Next result” leads to its result.');
  if (!canRun || monitor.state !== 'active' || monitor.type === 'heartbeat') return null;
  return (
    <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => checkNow(monitor)}>
      {ACTION_TEXT.checkNow}
    </Button>
  );
}

/** Buttons to other failed results in the same region. */
function Failures({ result: { monitorId, region, slot } }: { readonly result: Result }) {
  return (
    <FailureButtons
      list={`/v1/monitors/${monitorId}/results`}
      region={region}
      statuses="down"
      slot={slot}
      buildPagePath={(id) => `/monitors/${monitorId}/results/${encodeURIComponent(id)}`}
    />
  );
}

function Copies({ result: { request } }: { readonly result: Result }) {
  return (
    <Group gap={4} wrap="nowrap" className={classes['copies'] ?? ''}>
      {request !== null && !isNetworkMethod(request.method) && (
        <CopyTextButton text={curlText(request)} label="Copy as curl" Icon={IconTerminal2} />
      )}
      <CopyTextButton
        text={window.location.href}
        label="Copy link"
        copiedLabel="Link copied"
        Icon={IconLink}
      />
    </Group>
  );
}
