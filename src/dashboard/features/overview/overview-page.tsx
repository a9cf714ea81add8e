/** The overview: overall state, checks that need attention, and the history of recent days. */
import { Alert, Button, Card, Code, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { MailBanner } from '../../shared/alerts/mail-banner';
import { DayBars } from '../../shared/charts/day-bars';
import { chooseDayTone } from '../../shared/charts/days';
import type { Ledger, ListedCheck, Overview, Trends } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useChecks } from '../../shared/data/checks';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { AbsoluteTime } from '../../shared/text/time';
import { shortDay } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { EmptyState } from '../../shared/ui/empty-state';
import { Heading } from '../../shared/ui/heading';
import { PageHead } from '../../shared/ui/page-head';
import { StatusIcon } from '../../shared/ui/status';
import { Attention } from './attention';
import { CheckGrid } from './check-grid';
import { FirstSteps } from './first-steps';
import { alertWords, promiseWords, slotWords } from './ledger-words';
import classes from './overview.module.css';
import { listFailing, stateLine } from './state';
import { accountDaysText, accountDayText } from './trend';
import { TrendTiles } from './trend-tiles';
import { Upcoming } from './upcoming';

/** The last 90 days of the account, one bar per day, with a legend. */
function AccountDays({ days }: Pick<Trends, 'days'>) {
  const bars = days.map((day) => ({
    from: day.date,
    tone: chooseDayTone(day.downSeconds),
    text: `${shortDay(day.date)}: ${accountDayText(day)}`,
  }));
  return (
    <Paper component="section" withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Heading>90 days</Heading>
        <Text size="sm" c="dimmed">
          {accountDaysText(days)}
        </Text>
      </Group>
      <DayBars bars={bars} label={`Last 90 days. ${accountDaysText(days)}`} />
    </Paper>
  );
}

/** How often trends are read again. The service caches them for the same time. */
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
      {isEmpty && (
        <Stack gap="lg">
          <Nothing canWrite={canWrite} />
          <Steps position="first" />
        </Stack>
      )}
      {checks !== undefined && !isEmpty && <ControlRoom checks={checks} />}
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
      <Attention checks={listFailing(checks)} />
      <Steps position="first" />
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
      <Steps position="last" />
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

/** The setup steps. Renders nothing for people who cannot take them. */
function Steps({ position }: { readonly position: 'first' | 'last' }) {
  const canWrite = useCan('write');
  const { data } = useRead<Overview>('/v1/overview', { enabled: canWrite });
  return data === undefined || !canWrite ? null : (
    <FirstSteps overview={data} position={position} />
  );
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

/**
 * Shows how many checks and alerts were due in the last 7 days. Also shows how many checks were made or missed, and how
 * many alerts were sent.
 */
function LedgerCard() {
  const { data } = useRead<Ledger>('/v1/operations/ledger');
  if (data === undefined || data.total.slots.due === 0) return null;
  const { slots, alerts } = data.total;
  return (
    <Card component="section" withBorder>
      <Heading mb="sm">Checks and alerts of the last 7 days</Heading>
      <Text size="sm">{slotWords(slots)}</Text>
      <Text size="sm">{alertWords(alerts)}</Text>
      <Text size="sm" mt={6}>
        {promiseWords(slots)}
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Measure it: <Code>GET /v1/operations/ledger</Code>
      </Text>
      {Date.parse(data.observedFrom) > Date.parse(data.from) && (
        <Text size="xs" c="dimmed" mt={6}>
          Counted since <AbsoluteTime at={data.observedFrom} />
        </Text>
      )}
    </Card>
  );
}

const NAMED_MAX = 5;

/**
 * How often the list of stuck checks is read again. Polling is needed, because no event reports that a check is not
 * running.
 */
const EVERY_MS = 120_000;

/** Names the checks that are not running because the service itself fails. Renders nothing if there are none. */
function StuckNote({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const { data } = useRead<Overview>('/v1/overview', { refetchInterval: EVERY_MS });
  const ids = new Set(data?.stuck.map(({ id }) => id));
  const stuck = checks.filter(({ id }) => ids.has(id));
  if (stuck.length === 0) return null;
  const more = stuck.length - NAMED_MAX;
  return (
    <Alert
      variant="default"
      icon={<IconPlugConnectedX aria-hidden color="var(--kw-down)" />}
      title={
        stuck.length === 1 ? '1 check is not running' : `${stuck.length} checks are not running`
      }
    >
      {stuck.slice(0, NAMED_MAX).map((check, index) => (
        <span key={check.id}>
          {index > 0 && ', '}
          <Link to={checkPath(check)}>{check.name}</Link>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}. Keepwatch is behind; your services may be fine. Run{' '}
      <code>npm run doctor</code> on the server.
    </Alert>
  );
}
