/** The overview: overall state, checks that need attention, and the last days. */
import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MailBanner } from '../../shared/alerts/mail-banner';
import type { ListedCheck, Overview, Trends } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useChecks } from '../../shared/data/checks';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { useNowMs } from '../../shared/text/use-now';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { StatusIcon } from '../../shared/ui/status';
import { AccountDays } from './account-days';
import { Attention } from './attention';
import { CheckGrid } from './check-grid';
import { FirstSteps } from './first-steps';
import { LedgerCard } from './ledger-card';
import classes from './overview.module.css';
import { needingAttention, stateLine } from './state';
import { StuckNote } from './stuck-note';
import { TrendTiles } from './trend-tiles';
import { Upcoming } from './upcoming';

/** In milliseconds. The service caches trends for the same time. */
const TRENDS_EVERY_MS = 120_000;

export function OverviewPage() {
  const { checks, error } = useChecks();
  const canWrite = useCan('write');
  const isEmpty = checks?.length === 0;
  return (
    <>
      <PageHead title="Overview">
        {checks !== undefined && !isEmpty && (
          <>
            <Button component={Link} to="/wallboard" variant="default" visibleFrom="sm">
              Wallboard
            </Button>
            {canWrite && (
              <Button component={Link} to="/monitors/new">
                New monitor
              </Button>
            )}
          </>
        )}
      </PageHead>
      <MailBanner />
      <Unread of={{ data: checks, error }} shape={<PageLoading isBelowHead />} />
      {isEmpty && <Nothing canWrite={canWrite} />}
      {checks !== undefined && !isEmpty && <ControlRoom checks={checks} />}
      {canWrite && checks !== undefined && <Steps />}
    </>
  );
}

function ControlRoom({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const options = { refetchInterval: TRENDS_EVERY_MS };
  const { data: trends, error } = useRead<Trends>('/v1/overview/trends', options);
  return (
    <Stack gap="lg">
      <StateLine checks={checks} />
      <StuckNote checks={checks} />
      <Attention checks={needingAttention(checks)} />
      <Unread of={{ data: trends, error }} shape={<TrendsShape />} />
      {trends !== undefined && (
        <>
          <TrendTiles trends={trends} />
          <AccountDays days={trends.days} />
        </>
      )}
      <CheckGrid checks={checks} />
      <Upcoming checks={checks} />
      <LedgerCard />
    </Stack>
  );
}

function TrendsShape() {
  return (
    <>
      <Skeleton h={124} />
      <Skeleton h={133} />
    </>
  );
}

function StateLine({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const { status, text, worst } = stateLine(checks, useNowMs());
  return (
    <Paper withBorder p="md" className={classes['state'] ?? ''} data-status={status}>
      <Group gap="sm" wrap="nowrap">
        <span aria-hidden className={classes['state-icon']}>
          <StatusIcon status={status} size={26} />
        </span>
        <Text role="status" fw={650} fz="lg" className={classes['reason'] ?? ''}>
          {text}
          {worst !== null && (
            <>
              {' '}
              <Link to={checkPath(worst.check)}>{worst.check.name}</Link> ({worst.length})
            </>
          )}
        </Text>
      </Group>
    </Paper>
  );
}

function Steps() {
  const { data } = useRead<Overview>('/v1/overview');
  return data === undefined ? null : <FirstSteps overview={data} />;
}

function Nothing({ canWrite }: { readonly canWrite: boolean }) {
  return (
    <EmptyState
      title="No monitors yet"
      text="A monitor sends one request on a schedule, or waits for a job to report. A scenario runs several steps and passes values between them."
      action={
        canWrite && (
          <Group justify="center">
            <Button component={Link} to="/monitors/new">
              Create your first monitor
            </Button>
            <Button
              component={Link}
              to="/scenarios/new"
              search={{ start: 'example' } as never}
              variant="default"
            >
              Use the example scenario
            </Button>
          </Group>
        )
      }
    />
  );
}
