/** The runs of a scenario, newest first: as a matrix of steps, and as a list. */
import { Button, Paper, Stack } from '@mantine/core';
import type { Page, Run, Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { hasFilters, withoutFilters } from '../../../shared/list/list-filters';
import { LIST_WORDS } from '../../../shared/list/words';
import { Unread } from '../../../shared/loading/unread';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { RunFilters } from './run-filters';
import { RunList } from './run-list';
import { RunMatrix } from './run-matrix';
import { RUN_FILTERS, runsPath } from './run-query';

export function RunsTab({ scenario }: { readonly scenario: Scenario }) {
  const [search, setSearch] = useSearchState();
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
