/** One run: its steps on a time axis, live while it runs. */
import { Alert, Button, Card, Stack } from '@mantine/core';
import {
  IconAlertCircle,
  IconExternalLink,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import { useAct } from '../../../shared/actions/use-act';
import { useRunNow } from '../../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import type { Run, Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { FailureButtons } from '../../../shared/results/failure-buttons';
import { IncidentLink } from '../../../shared/results/incident-link';
import { Heading } from '../../../shared/ui/heading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { RunStatusLabel } from '../../../shared/ui/status';
import { Trail } from '../../../shared/ui/trail';
import { RUN_TEXT } from '../strings';
import { RunFacts } from './run-facts';
import { StepActions } from './step-actions';
import { isFinished } from './waterfall';
import { WaterfallView } from './waterfall-view';

/** How often a run is read again. Steps end between two events of the stream, so polling is necessary. */
const POLL_MS = 1_000;
const TICK_MS = 250;
/** The statuses of failed runs. Runs that ended because of the service itself are left out. */
const FAILED = ['failed', 'timed_out'];

export function RunPage() {
  const { scenarioId = '', runId = '' } = useParams({ strict: false });
  const path = `/v1/scenarios/${scenarioId}/results/${runId}`;
  const [endedPath, setEndedPath] = useState('');
  const { data: run, error } = useRead<Run>(path, {
    refetchInterval: endedPath === path ? false : POLL_MS,
  });
  const { data: scenario } = useRead<Scenario>(`/v1/scenarios/${scenarioId}`);
  // Until the first response for another run arrives, the data still belongs to the previous run.
  const hasEnded = run !== undefined && run.id === runId && isFinished(run);
  useEffect(() => {
    if (hasEnded) setEndedPath(path);
  }, [hasEnded, path]);
  const nowMs = useTicking(run !== undefined && !hasEnded);
  if (error !== null && (run?.id !== runId || error.status === 404))
    return (
      <PageProblem
        problem={error}
        what="Run"
        trail={[
          { to: '/scenarios', label: 'Scenarios' },
          { to: `/scenarios/${scenarioId}`, label: 'Scenario' },
        ]}
      />
    );
  if (run === undefined) return <PageLoading />;
  const name = scenario?.name ?? 'Scenario';
  return (
    <>
      <Trail
        pages={[
          { to: '/scenarios', label: 'Scenarios' },
          { to: `/scenarios/${scenarioId}`, label: name },
          { to: `/scenarios/${scenarioId}`, label: RUN_TEXT.runs, search: { tab: 'runs' } },
        ]}
      />
      <PageHead
        title={`Run of ${name}`}
        aside={
          <span role="status">
            <RunStatusLabel status={run.status} />
          </span>
        }
      >
        <RunActions run={run} scenario={scenario} path={path} />
        {FAILED.includes(run.status) && <IncidentLink resourceId={scenarioId} slot={run.slot} />}
        {isFinished(run) && <OtherRuns run={run} />}
      </PageHead>
      <Stack>
        <RunFailure run={run} />
        <Card withBorder>
          <RunFacts run={run} />
        </Card>
        <Card withBorder>
          <Heading mb="sm">Steps</Heading>
          <WaterfallView
            run={run}
            nowMs={nowMs}
            renderResponse={(step) => <StepActions run={run} step={step} />}
          />
        </Card>
      </Stack>
    </>
  );
}

/** Buttons to other runs in the same region. */
function OtherRuns({ run: { scenarioId, region, slot } }: { readonly run: Run }) {
  return (
    <FailureButtons
      list={`/v1/scenarios/${scenarioId}/results`}
      noun="run"
      region={region}
      statuses={FAILED.join()}
      slot={slot}
      buildPagePath={(id) => `/scenarios/${scenarioId}/runs/${id}`}
    />
  );
}

function RunFailure({ run: { failure } }: { readonly run: Run }) {
  if (failure === null) return null;
  const isWanted = failure.code === 'cancelled';
  return (
    <Alert
      color={isWanted ? 'gray' : 'red'}
      variant={isWanted ? 'default' : 'outline'}
      icon={<IconAlertCircle aria-hidden />}
      title={`${failure.stepName === null ? '' : `${failure.stepName}: `}${FAILURE_WORDS[failure.code]}`}
    >
      {failure.message}
    </Alert>
  );
}

interface RunActionsProps {
  readonly run: Run;
  readonly scenario: Scenario | undefined;
  readonly path: string;
}

function RunActions({ run, scenario, path }: RunActionsProps) {
  const runNow = useRunNow();
  const canRun = useCan('run');
  const isAdmin = useCan('admin');
  const { act, isPending } = useAct([path]);
  const { url } = run.links.temporal;
  const stop = (): void =>
    act(
      { method: 'POST', path: `${path}/cancel` },
      { done: 'Cancelling the run. Clean-up steps still run.' },
    );
  return (
    <>
      {canRun && !isFinished(run) && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={stop}
          loading={isPending}
        >
          Cancel this run
        </Button>
      )}
      {canRun && isFinished(run) && scenario !== undefined && (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => runNow(scenario, againAs(run))}
        >
          Run again
        </Button>
      )}
      {url !== null && isAdmin && (
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {ACTION_TEXT.openInTemporal}
        </Button>
      )}
    </>
  );
}

/**
 * The body that starts the same run again. Generated values are not stored, so the new run gets other generated values.
 */
function againAs({ region, label }: Run): unknown {
  return { regions: [region], ...(label === null ? {} : { label }) };
}

/** Returns the current time, updated so often that the bars of running steps grow visibly. */
function useTicking(isOn: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return nowMs;
}
