/** The result that opened the incident of a monitor, as long as results of that time are kept. */
import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../shared/data/api';
import type { Incident, Page, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { ResultView } from '../../shared/results/result-view';
import { Loading } from '../../shared/ui/loading';
import { ProblemNote } from '../../shared/ui/problem-note';
import { TEXT } from './strings';

/** It is among the last ones up to then, whatever the regions and clocks. */
const SEARCHED = 100;
const AFTER_MS = 60_000;

export function FirstResult({ incident }: { readonly incident: Incident }) {
  const { resourceId, openedAt, firstResultId } = incident;
  const to = new Date(Date.parse(openedAt) + AFTER_MS).toISOString();
  const path = withQuery(`/v1/monitors/${resourceId}/results`, { to, limit: SEARCHED });
  const { data, error } = useRead<Page<Result>>(path);
  const result = data?.data.find(({ id }) => id === firstResultId);
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {TEXT.firstResult}
      </Title>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && result === undefined && <Text c="dimmed">{TEXT.resultGone}</Text>}
      {result !== undefined && (
        <Paper withBorder p="md">
          <ResultView result={result} />
        </Paper>
      )}
      <Anchor component={Link} to={`/monitors/${resourceId}`} search={RESULTS as never} size="sm">
        {TEXT.allResults}
      </Anchor>
    </section>
  );
}

const RESULTS = { tab: 'results', status: 'down' };
