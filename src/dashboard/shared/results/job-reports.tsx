/** The last reports of a heartbeat's job, newest first, and a link to all of them. */
import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Page, Result } from '../data/api-types';
import { useRead } from '../data/queries';
import { withQuery } from '../data/with-query';
import { Unread } from '../loading/unread';
import { ClockTime, milliseconds } from '../text/time';
import { Heading } from '../ui/heading';
import { StatusLabel } from '../ui/status';
import classes from './results.module.css';

const TITLE = 'Reports of the job';
const REPORTS_MAX = 5;

interface JobReportsProps {
  readonly monitorId: string;
  /** Only reports before this time. By default, the newest reports. */
  readonly to?: string | null;
  /** Shown between the heading and the reports. */
  readonly children?: ReactNode;
}

export function JobReports({ monitorId, to = null, children }: JobReportsProps) {
  const path = withQuery(`/v1/monitors/${monitorId}/results`, { to, limit: REPORTS_MAX });
  const { data, error } = useRead<Page<Result>>(path);
  return (
    <Paper component="section" withBorder p="md" aria-label={TITLE}>
      <Heading>{TITLE}</Heading>
      {children}
      <Unread of={{ data, error }} />
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          No reports {to === null ? '' : 'of that time '}are kept.
        </Text>
      )}
      <ul className={classes['reports']}>
        {data?.data.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </ul>
      <Anchor
        component={Link}
        to={`/monitors/${monitorId}`}
        search={{ tab: 'results' } as never}
        size="sm"
        className={classes['all'] ?? ''}
      >
        All results
      </Anchor>
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
        <ClockTime at={slot} />
      </Anchor>
      <span>
        <StatusLabel status={status} />
      </span>
      <span className={classes['report']}>{failure?.message ?? 'The job reported success.'}</span>
      <span>{milliseconds(responseTimeMs)}</span>
    </li>
  );
}
