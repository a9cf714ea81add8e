/** The last reports of a heartbeat's job, newest first. */
import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../../shared/data/api';
import type { Page, Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { Unread } from '../../../shared/loading/unread';
import { milliseconds } from '../../../shared/text/time';
import { absolute, clockSeconds, shortDay } from '../../../shared/text/time-text';
import { Heading } from '../../../shared/ui/heading';
import { StatusLabel } from '../../../shared/ui/status';
import classes from './monitor-head.module.css';

const REPORTS_MAX = 10;

export function LastReports({ monitorId }: { readonly monitorId: string }) {
  const path = withQuery(`/v1/monitors/${monitorId}/results`, { limit: REPORTS_MAX });
  const { data, error } = useRead<Page<Result>>(path);
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-label="Reports of the job">
      <Heading>Reports of the job</Heading>
      <Unread of={{ data, error }} />
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          No reports are kept.
        </Text>
      )}
      <ul className={classes['reports']}>
        {data?.data.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </ul>
    </Paper>
  );
}

function Report({ report }: { readonly report: Result }) {
  const { id, monitorId, slot, status, responseTimeMs, failure } = report;
  return (
    <li>
      <Anchor
        component={Link}
        to={`/monitors/${monitorId}/results/${encodeURIComponent(id)}`}
        size="sm"
      >
        <time dateTime={slot} title={absolute(slot)}>
          {shortDay(slot)}, {clockSeconds(slot)}
        </time>
      </Anchor>
      <StatusLabel status={status} />
      <span className={classes['report']}>{failure?.message ?? 'The job reported success.'}</span>
      <span>{milliseconds(responseTimeMs)}</span>
    </li>
  );
}
