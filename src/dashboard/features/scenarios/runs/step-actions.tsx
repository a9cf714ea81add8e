/** Actions on a step of a run: edit it, and compare it with the last run that passed. */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconArrowsDiff, IconEdit } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Page, Run } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { withQuery } from '../../../shared/data/with-query';
import { Unread } from '../../../shared/loading/unread';
import { findDifferences } from '../../../shared/results/difference';
import { DifferenceTable } from '../../../shared/results/difference-table';
import { RESULT_TEXT } from '../../../shared/results/words';
import { milliseconds, RelativeTime } from '../../../shared/text/time';
import { Subheading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import type { RunStep } from './waterfall';

interface StepActionsProps {
  readonly run: Run;
  readonly step: RunStep;
}

export function StepActions({ run, step }: StepActionsProps) {
  const canWrite = useCan('write');
  const [isComparing, setIsComparing] = useState(false);
  return (
    <Stack gap="sm" mt="md">
      <Group gap="xs">
        {step.response !== null && (
          <SmallButton
            leftSection={<IconArrowsDiff size={14} aria-hidden />}
            aria-expanded={isComparing}
            onClick={() => setIsComparing(!isComparing)}
          >
            {RESULT_TEXT.compare}
          </SmallButton>
        )}
        {canWrite && (
          <SmallButton
            component={Link}
            to={`/scenarios/${run.scenarioId}/edit`}
            search={{ step: step.name } as never}
            leftSection={<IconEdit size={14} aria-hidden />}
          >
            Edit step
          </SmallButton>
        )}
      </Group>
      {isComparing && <LastPassingStep run={run} step={step} />}
    </Stack>
  );
}

/** Shows the same step in the last passing run in the same region. */
function LastPassingStep({ run, step }: StepActionsProps) {
  const { scenarioId, region, slot } = run;
  const query = { region, status: 'passed', to: slot, limit: 1 };
  const { data, error } = useRead<Page<Run>>(
    withQuery(`/v1/scenarios/${scenarioId}/results`, query),
  );
  if (data === undefined) return <Unread of={{ data, error }} />;
  const [passing] = data.data;
  if (passing === undefined) return <Text size="sm">No earlier run from this region passed.</Text>;
  return <Comparison step={step} path={`/scenarios/${scenarioId}/results/${passing.id}`} />;
}

interface ComparisonProps {
  readonly step: RunStep;
  /** Path of the passing run, relative to `/v1`. */
  readonly path: string;
}

function Comparison({ step, path }: ComparisonProps) {
  const { data: passing, error } = useRead<Run>(`/v1${path}`);
  if (passing === undefined) return <Unread of={{ data: passing, error }} />;
  const before = passing.steps.find(({ name }) => name === step.name);
  const page = path.replace('/results/', '/runs/');
  return (
    <section aria-label={RESULT_TEXT.compare}>
      <Subheading>{RESULT_TEXT.compare}</Subheading>
      <Text size="sm" mb="sm">
        <Anchor component={Link} to={page} inherit underline="always">
          Last passing run
        </Anchor>
        : <RelativeTime at={passing.startedAt ?? passing.queuedAt} />
        {before === undefined ? '' : `, this step in ${milliseconds(before.responseTimeMs)}`}
      </Text>
      {before === undefined ? (
        <Text size="sm">The scenario did not have this step then.</Text>
      ) : (
        <DifferenceTable differences={findDifferences(before, step)} />
      )}
      {before !== undefined && before.response?.headers == null && (
        <Text size="sm" c="dimmed" mt="xs">
          Its headers and body are no longer kept: another run passed since.
        </Text>
      )}
    </section>
  );
}
