/** The runs of a scenario, newest first: as a matrix of steps, and as a list. */
import { Anchor, Button, Group, NativeSelect, Paper, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import type { Page, Run, Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { type Search, useSearchState } from '../../../shared/data/search';
import { withQuery } from '../../../shared/data/with-query';
import {
  dropUnknown,
  hasFilters,
  pickFilters,
  withoutFilters,
} from '../../../shared/list/list-filters';
import { LIST_WORDS } from '../../../shared/list/words';
import { Unread } from '../../../shared/loading/unread';
import { RUN_STATUS_WORDS } from '../../../shared/text/strings';
import { absolute, ClockTime, milliseconds } from '../../../shared/text/time';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { RunStatusLabel, runAsStatus, StatusIcon } from '../../../shared/ui/status';
import { TableHead } from '../../../shared/ui/table-head';
import { startWords } from '../runs/run-facts';
import classes from '../runs/runs.module.css';
import { StepMark } from '../runs/step-mark';
import { listStepNames } from '../runs/waterfall';
import { RUN_TEXT, TRIGGER_WORDS } from '../strings';

const RUNS_SHOWN = 30;

const RUN_FILTERS = ['status', 'trigger', 'region'] as const;

/** Builds the API path for the filters in the page's URL. */
function runsPath(scenarioId: string, search: Search): string {
  return withQuery(`/v1/scenarios/${scenarioId}/results`, {
    ...pickFilters(search, RUN_FILTERS),
    limit: RUNS_SHOWN,
    cursor: search['cursor'],
  });
}

const OFFERED = { status: Object.keys(RUN_STATUS_WORDS), trigger: Object.keys(TRIGGER_WORDS) };

export function RunsTab({ scenario }: { readonly scenario: Scenario }) {
  const [given, setSearch] = useSearchState();
  const search = dropUnknown(given, OFFERED);
  const { data, error } = useRead<Page<Run>>(runsPath(scenario.id, search));
  const runs = data?.data ?? [];
  const isNarrowed = hasFilters(search, RUN_FILTERS);
  return (
    <>
      <RunFilters regions={scenario.regions} />
      <Unread of={{ data, error }} />
      {runs.length > 0 && (
        <Paper withBorder p="md">
          <Stack>
            <RunMatrix scenarioId={scenario.id} runs={runs} />
            <RunList scenarioId={scenario.id} runs={runs} />
          </Stack>
        </Paper>
      )}
      {data?.data.length === 0 && isNarrowed && (
        <EmptyState
          title={LIST_WORDS.noMatch}
          text="No run matches these filters."
          action={
            <Button onClick={() => setSearch(withoutFilters(RUN_FILTERS))}>
              {LIST_WORDS.clear}
            </Button>
          }
        />
      )}
      {data?.data.length === 0 && !isNarrowed && (
        <EmptyState
          title="No runs yet"
          text="The first run starts within the interval. Run it now to see results sooner."
        />
      )}
      {data !== undefined && <Pager nextCursor={data.nextCursor} />}
    </>
  );
}

/** Filters the runs of a scenario. All filters are in the page's URL. */
function RunFilters({ regions }: { readonly regions: readonly string[] }) {
  const [search, setSearch] = useSearchState();
  const select = (name: string, label: string, choices: Readonly<Record<string, string>>) => (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={search[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        setSearch({ [name]: value === '' ? undefined : value, cursor: undefined })
      }
      data={[
        { value: '', label },
        ...Object.entries(choices).map(([value, word]) => ({ value, label: word })),
      ]}
    />
  );
  return (
    <Group gap="xs" mb="md">
      {select('status', 'Any status', RUN_STATUS_WORDS)}
      {select('trigger', 'Any trigger', TRIGGER_WORDS)}
      {regions.length > 1 &&
        select('region', 'All regions', Object.fromEntries(regions.map((id) => [id, id])))}
    </Group>
  );
}

interface RunListProps {
  readonly scenarioId: string;
  readonly runs: readonly Run[];
}

function RunList({ scenarioId, runs }: RunListProps) {
  return (
    <ScrollBox label={RUN_TEXT.runs} minWidth={620}>
      <Table fz="sm" verticalSpacing={6}>
        <TableHead columns={['Run', 'Status', 'Trigger', 'Region', 'Duration', 'Failure']} />
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={`/scenarios/${scenarioId}/runs/${run.id}`}
                  size="sm"
                  underline="always"
                >
                  <ClockTime at={run.queuedAt} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <RunStatusLabel status={run.status} />
              </Table.Td>
              <Table.Td>{startWords(run)}</Table.Td>
              <Table.Td>{run.region}</Table.Td>
              <Table.Td>{milliseconds(run.durationMs)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{failureWords(run)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function failureWords({ failure }: Run): string {
  if (failure === null) return '–';
  const where = failure.stepName === null ? '' : `${failure.stepName}: `;
  return where + (failure.message === '' ? FAILURE_WORDS[failure.code] : failure.message);
}

interface RunMatrixProps {
  readonly scenarioId: string;
  /** The runs in the order of the API, the newest first. */
  readonly runs: readonly Run[];
}

/** Shows the last runs as columns and their steps as rows. The newest run is on the right. */
function RunMatrix({ scenarioId, runs }: RunMatrixProps) {
  const names = listStepNames(runs);
  const columns = [...runs].reverse();
  return (
    <ScrollBox label="Steps of the last runs">
      <table className={classes['matrix']}>
        <thead>
          <tr>
            <th scope="row">
              <Text size="xs" c="dimmed" span>
                Run
              </Text>
            </th>
            {columns.map(({ id, status, queuedAt }) => (
              <th key={id} scope="col">
                <Link
                  to={`/scenarios/${scenarioId}/runs/${id}`}
                  className={classes['head']}
                  aria-label={`Run ${absolute(queuedAt)}: ${RUN_STATUS_WORDS[status]}`}
                  title={`${RUN_STATUS_WORDS[status]}, ${absolute(queuedAt)}`}
                >
                  <StatusIcon status={runAsStatus(status)} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name}
              </th>
              {columns.map((run) => (
                <td key={run.id}>
                  <Cell run={run} name={name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Cell({ run, name }: { readonly run: Run; readonly name: string }) {
  const step = run.steps.find((candidate) => candidate.name === name);
  return step === undefined ? null : <StepMark status={step.status} isSmall />;
}
