/** The result that opened a monitor's incident, as long as it is still stored. */
import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { ResultView } from '../../shared/results/result-view';
import { Heading } from '../../shared/ui/heading';

export function FirstResult({ incident }: { readonly incident: Incident }) {
  const { resourceId, firstResultId } = incident;
  const path = `/v1/monitors/${resourceId}/results/${encodeURIComponent(firstResultId ?? '')}`;
  const { data: result, error } = useRead<Result>(path, { enabled: firstResultId !== null });
  const isDeleted = error?.status === 404;
  return (
    <section>
      <Heading mb="sm">First failing result</Heading>
      {!isDeleted && <Unread of={{ data: result, error }} />}
      {isDeleted && <Text c="dimmed">This result is no longer kept.</Text>}
      {result !== undefined && (
        <Paper withBorder p="md">
          <ResultView result={result} />
        </Paper>
      )}
      <Anchor component={Link} to={`/monitors/${resourceId}`} search={RESULTS as never} size="sm">
        All failed results
      </Anchor>
    </section>
  );
}

const RESULTS = { tab: 'results', status: 'down' };
