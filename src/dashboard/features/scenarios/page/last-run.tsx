/** The last run of a scenario: in words for the head of its page, and its steps for the overview. */
import { Anchor, Group, Paper, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Run, Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { RUN_STATUS_WORDS } from '../../../shared/text/strings';
import { milliseconds, RelativeTime } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { WaterfallView } from '../runs/waterfall-view';
import { RUN_TEXT } from '../strings';

/** The height of a step's placeholder, so that nothing moves when the steps are read. */
const STEP_PX = 37;
const SCALE_PX = 42;

/** No step has this index, so all steps are folded at first. */
const NO_STEP = -1;

interface LastRunProps {
  readonly scenario: Scenario;
}

interface LastRun {
  /** undefined while it is read, and if it is no longer stored. */
  readonly run: Run | undefined;
  readonly isGone: boolean;
}

function useLastRun({ id, lastRunId }: Scenario): LastRun {
  const path = `/v1/scenarios/${id}/results/${lastRunId ?? ''}`;
  const { data, error } = useRead<Run>(path, { enabled: lastRunId !== null });
  // While the next run is read, the data is that of the previous run.
  const run = data?.scenarioId === id ? data : undefined;
  return { run, isGone: run === undefined && error !== null };
}

/** A link like `last passed 10 s ago in 612 ms`. Without a run, only says when the last one was. */
export function LastRunLink({ scenario }: LastRunProps) {
  const { run } = useLastRun(scenario);
  const { id, lastRunId, lastCheckedAt } = scenario;
  if (lastRunId === null || lastCheckedAt === null) return null;
  if (run === undefined)
    return (
      <>
        {' '}
        · last <RelativeTime at={lastCheckedAt} />
      </>
    );
  const { status, finishedAt, queuedAt, durationMs } = run;
  return (
    <>
      {' · '}
      <Anchor component={Link} to={`/scenarios/${id}/runs/${run.id}`} inherit underline="always">
        last {RUN_STATUS_WORDS[status].toLowerCase()} <RelativeTime at={finishedAt ?? queuedAt} />
        {durationMs !== null && ` in ${milliseconds(durationMs)}`}
      </Anchor>
    </>
  );
}

/** The steps of the last run on a time axis. Shows nothing before the first run. */
export function LastRunSteps({ scenario }: LastRunProps) {
  const { run, isGone } = useLastRun(scenario);
  if (scenario.lastRunId === null) return null;
  return (
    <Paper component="section" aria-label={RUN_TEXT.last} withBorder p="md" mb="md">
      <Group justify="space-between" mb="xs">
        <Heading size="h5">{RUN_TEXT.last}</Heading>
        {run !== undefined && (
          <Anchor
            component={Link}
            to={`/scenarios/${scenario.id}/runs/${run.id}`}
            size="sm"
            underline="always"
          >
            {RUN_TEXT.open}
          </Anchor>
        )}
      </Group>
      {isGone && <Text size="sm">{RUN_TEXT.gone}</Text>}
      {!isGone && run === undefined && <Skeleton h={scenario.steps.length * STEP_PX + SCALE_PX} />}
      {run !== undefined && (
        <WaterfallView
          run={run}
          nowMs={Date.parse(run.finishedAt ?? new Date().toISOString())}
          opensAt={NO_STEP}
        />
      )}
    </Paper>
  );
}
