/** The result that began the latest outage of a monitor's incident, collapsed to its region, time and cause. */
import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { findLastFailure } from '../../shared/data/trouble';
import { Unread } from '../../shared/loading/unread';
import { ResultView } from '../../shared/results/result-view';
import { AbsoluteTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import classes from './incidents.module.css';
import { TEXT } from './strings';

const RESULTS = { tab: 'results', status: 'down' };

/** Shows the result, or a note if the result is no longer stored. */
export function FirstResult({ incident }: { readonly incident: Incident }) {
  const { resourceId, firstResultId } = findLastFailure(incident);
  const path = `/v1/monitors/${resourceId}/results/${encodeURIComponent(firstResultId ?? '')}`;
  const { data: result, error } = useRead<Result>(path, { enabled: firstResultId !== null });
  const isDeleted = error?.status === 404;
  const all = (
    <Anchor component={Link} to={`/monitors/${resourceId}`} search={RESULTS as never} size="sm">
      {TEXT.allFailed}
    </Anchor>
  );
  if (result === undefined)
    return (
      <Paper component="section" withBorder p="md">
        <Heading>{TEXT.firstResult}</Heading>
        {isDeleted ? (
          <Text c="dimmed">{TEXT.deletedResult}</Text>
        ) : (
          <Unread of={{ data: result, error }} />
        )}
        {all}
      </Paper>
    );
  const { job, region, startedAt, slot, failure } = result;
  return (
    <Paper component="details" withBorder p="md" className={classes['result'] ?? ''}>
      <summary>
        <Heading>{TEXT.firstResult}</Heading>
        {incident.episodeCount > 1 && `${TEXT.latestOutage} · `}
        {job === null && `${region} · `}
        {/* A job's report has the time of its ping, as in the list of reports. */}
        <AbsoluteTime at={job === null ? (startedAt ?? slot) : slot} />
        {failure !== null && ` · ${failure.message}`}
      </summary>
      <Stack gap="md" mt="md" align="stretch">
        <ResultView result={result} />
        <div>{all}</div>
      </Stack>
    </Paper>
  );
}
