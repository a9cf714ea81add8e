/** The reports of a job before and during an incident of its heartbeat, and when they were expected. */
import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { withQuery } from '../../shared/data/api';
import type { HeartbeatMonitor, Incident, Page, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { ExpectedPing } from '../../shared/results/expected-ping';
import { milliseconds } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { StatusLabel } from '../../shared/ui/status';
import { groupByDay } from './day-parts';
import classes from './incidents.module.css';
import { OutageStrip } from './outage-strip';
import { ClockTime } from './step-time';
import { TEXT } from './strings';

const REPORTS_MAX = 10;
const SECOND_MS = 1_000;

interface JobReportsProps {
  readonly monitor: HeartbeatMonitor;
  readonly incident: Pick<Incident, 'closedAt' | 'episodes' | 'episodeCount'>;
}

export function JobReports({ monitor, incident }: JobReportsProps) {
  const { closedAt } = incident;
  // The period ends one second after the incident, so that it includes the ping that resolved the incident.
  const to = closedAt === null ? null : new Date(Date.parse(closedAt) + SECOND_MS).toISOString();
  const path = withQuery(`/v1/monitors/${monitor.id}/results`, { to, limit: REPORTS_MAX });
  const { data, error } = useRead<Page<Result>>(path);
  return (
    <Paper component="section" withBorder p="md" aria-label={TEXT.reports}>
      <Heading>{TEXT.reports}</Heading>
      {incident.episodeCount > 1 && <OutageStrip incident={incident} />}
      <ExpectedPing monitor={monitor} />
      <Unread of={{ data, error }} />
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          No reports of that time are kept.
        </Text>
      )}
      {groupByDay(data?.data ?? [], ({ slot }) => slot).map(({ day, entries }) => (
        <Fragment key={day}>
          <Text size="sm" c="dimmed" mt="sm">
            {day}
          </Text>
          <Reports reports={entries} />
        </Fragment>
      ))}
    </Paper>
  );
}

function Reports({ reports }: { readonly reports: readonly Result[] }) {
  return (
    <ul className={classes['reports']}>
      {reports.map(({ id, monitorId, slot, status, responseTimeMs, failure }) => (
        <li key={id}>
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
          <span className={classes['report']}>
            {failure?.message ?? 'The job reported success.'}
          </span>
          <span className={classes['reported']}>{milliseconds(responseTimeMs)}</span>
        </li>
      ))}
    </ul>
  );
}
