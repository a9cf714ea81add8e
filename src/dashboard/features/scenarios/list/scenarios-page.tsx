/** All scenarios, a page of the server at a time, narrowed by what is in the address. */
import { Button, Paper } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedScenario, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { FilterBar } from '../../../shared/list/filter-bar';
import { hasFilters, listPath } from '../../../shared/list/list-filters';
import { NoMatch } from '../../../shared/list/no-match';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Loading } from '../../../shared/ui/loading';
import { PageHead } from '../../../shared/ui/page-head';
import { Pager } from '../../../shared/ui/pager';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { LIST_TEXT } from '../strings';
import { ScenarioRow } from './scenario-row';
import classes from './scenarios.module.css';

export function ScenariosPage() {
  const [search] = useSearchState();
  const canWrite = useCan('write');
  const { data: page, error } = useRead<Page<ListedScenario>>(listPath('scenarios', search));
  const isNarrowed = hasFilters(search);
  const isEmpty = page?.data.length === 0;
  const isNew = isEmpty && !isNarrowed && search['cursor'] === undefined;
  return (
    <>
      <PageHead title={LIST_TEXT.title}>
        {canWrite && !isNew && (
          <Button
            component={Link}
            to="/scenarios/new"
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            {LIST_TEXT.add}
          </Button>
        )}
      </PageHead>
      {!isNew && <FilterBar kind="scenarios" groups={null} />}
      {error !== null && <ProblemNote problem={error} />}
      {page === undefined && error === null && <Loading />}
      {page !== undefined && !isEmpty && (
        <Paper withBorder component="ul" className={classes['rows'] ?? ''} aria-label="Scenarios">
          {page.data.map((scenario) => (
            <ScenarioRow key={scenario.id} scenario={scenario} />
          ))}
        </Paper>
      )}
      {isEmpty && !isNew && <NoMatch text={LIST_TEXT.whyNoMatch} />}
      {isNew && (
        <EmptyState
          title={LIST_TEXT.none}
          text={LIST_TEXT.whyNone}
          action={
            canWrite ? (
              <Button component={Link} to="/scenarios/new">
                {LIST_TEXT.example}
              </Button>
            ) : undefined
          }
        />
      )}
      {page !== undefined && <Pager nextCursor={page.nextCursor} />}
    </>
  );
}
