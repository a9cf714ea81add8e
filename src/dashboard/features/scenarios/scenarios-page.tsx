/** All scenarios, a page of the server at a time, narrowed by what is in the address. */
import { Button, Paper } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedScenario, Page } from '../../shared/api-types';
import { EmptyState } from '../../shared/empty-state';
import { FilterBar } from '../../shared/list/filter-bar';
import { hasFilters, listPath } from '../../shared/list/list-filters';
import { NoMatch } from '../../shared/list/no-match';
import { Loading } from '../../shared/loading';
import { PageHead } from '../../shared/page-head';
import { Pager } from '../../shared/pager';
import { ProblemNote } from '../../shared/problem-note';
import { useRead } from '../../shared/queries';
import { useSearchState } from '../../shared/search';
import { useCan } from '../../shared/session';
import { ScenarioRow } from './scenario-row';
import classes from './scenarios.module.css';
import { LIST_TEXT } from './strings';

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
