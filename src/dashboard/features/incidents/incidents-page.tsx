/** The incidents of the account, filtered by state, check and period. Unresolved ones come first. */
import { Anchor, Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAcknowledge } from '../../shared/actions/use-acknowledge';
import { CheckSelect } from '../../shared/alerts/check-select';
import { countWords } from '../../shared/charts/counted';
import { withQuery } from '../../shared/data/api';
import type { Incident, Page } from '../../shared/data/api-types';
import { UNRESOLVED_INCIDENTS } from '../../shared/data/live-updates';
import { useRead } from '../../shared/data/queries';
import { type Search, useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { totalDownSeconds } from '../../shared/data/trouble';
import { dropUnknown } from '../../shared/list/list-filters';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { formatDuration } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { CardItem, CardList } from '../../shared/ui/card-list';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { Pager } from '../../shared/ui/pager';
import { EpisodeList } from './episode-list';
import { IncidentState } from './incident-state';
import classes from './incidents.module.css';
import { orderIncidents } from './order';
import { ShortTime } from './step-time';
import { nameSubject, TEXT } from './strings';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const PERIODS = [
  { value: '', label: 'Any time', days: null },
  { value: '24h', label: 'Last 24 hours', days: 1 },
  { value: '7d', label: 'Last 7 days', days: 7 },
  { value: '30d', label: 'Last 30 days', days: 30 },
  { value: '90d', label: 'Last 90 days', days: 90 },
] as const;

/**
 * Returns the start of the period, rounded down to a full minute, so that the list's path changes at most once a
 * minute.
 */
function findBeginning(period: string | undefined, nowMs: number): string | undefined {
  const days = PERIODS.find(({ value }) => value === period)?.days ?? null;
  if (days === null) return undefined;
  return new Date(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - days * DAY_MS).toISOString();
}

interface IncidentFiltersProps {
  readonly search: Search;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

/** Narrows the list of incidents to one check or a period. */
function IncidentFilters({ search, onChange }: IncidentFiltersProps) {
  return (
    <Group gap="sm" mb="md" align="flex-end" wrap="nowrap">
      <div style={{ flex: '0 1 280px', minWidth: 0 }}>
        <CheckSelect
          label="Monitor or scenario"
          placeholder="All"
          value={search['resourceId'] ?? null}
          onChange={(id) => onChange({ resourceId: id ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear monitor or scenario' }}
          w="100%"
        />
      </div>
      <NativeSelect
        label="Opened"
        data={PERIODS.map(({ value, label }) => ({ value, label }))}
        value={search['period'] ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ period: currentTarget.value === '' ? undefined : currentTarget.value })
        }
      />
    </Group>
  );
}

const PAGE_SIZE = 200;
const ALL = 'all';
const STATES = [
  { value: 'open', label: TEXT.open },
  { value: 'acknowledged', label: TEXT.acknowledged },
  { value: 'resolved', label: TEXT.resolved },
];
const OFFERED = {
  state: STATES.map(({ value }) => value),
  period: PERIODS.map(({ value }) => value),
};

export function IncidentsPage() {
  const [given, change] = useSearchState();
  const search = dropUnknown(given, OFFERED);
  const nowMs = useNowMs();
  const { state, resourceId, cursor } = search;
  const choice = { resourceId, from: findBeginning(search['period'], nowMs) };
  const { data, error } = useRead<Page<Incident>>(
    withQuery('/v1/incidents', { limit: PAGE_SIZE, state, ...choice, cursor }),
  );
  // This read sends no further request, because the whole dashboard shares it.
  const { data: unresolved } = useRead<Page<Incident>>(UNRESOLVED_INCIDENTS);
  const ahead = state === undefined ? (unresolved?.data ?? []) : [];
  const incidents = orderIncidents(data?.data ?? [], ahead, {
    ...choice,
    isFirst: cursor === undefined,
  });
  const filter = (changes: Readonly<Record<string, string | undefined>>): void =>
    change({ ...changes, cursor: undefined });
  return (
    <>
      <PageHead title={TEXT.title}>
        <SegmentedControl
          aria-label="State"
          value={state ?? ALL}
          onChange={(chosen) => filter({ state: chosen === ALL ? undefined : chosen })}
          data={[{ value: ALL, label: 'All' }, ...STATES]}
        />
      </PageHead>
      <IncidentFilters search={search} onChange={filter} />
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data !== undefined && incidents.length === 0 && (
        <NoIncidents search={search} onShowAll={() => change(ALL_SHOWN)} />
      )}
      {data !== undefined && incidents.length > 0 && (
        <>
          <Total
            incidents={incidents}
            nowMs={nowMs}
            isWhole={data.nextCursor === null && !cursor}
          />
          <CardList label={TEXT.title}>
            {incidents.map((incident) => (
              <IncidentRow key={incident.id} incident={incident} nowMs={nowMs} />
            ))}
          </CardList>
        </>
      )}
      <Pager nextCursor={data?.nextCursor ?? null} />
    </>
  );
}

interface TotalProps {
  readonly incidents: readonly Incident[];
  readonly nowMs: number;
  /** False means that there are more pages, so the total covers only this page. */
  readonly isWhole: boolean;
}

function Total({ incidents, nowMs, isWhole }: TotalProps) {
  // Only incidents of checks count here, because an outage of an identity provider does not mean
  // that a check is down.
  const ofChecks = incidents.filter(({ identityProvider }) => identityProvider === null);
  const seconds = ofChecks.reduce((sum, incident) => sum + totalDownSeconds(incident, nowMs), 0);
  const count = incidents.length === 1 ? '1 incident' : `${incidents.length} incidents`;
  return (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      {isWhole ? '' : 'On this page: '}
      {count}, total downtime {formatDuration(seconds)}
    </Text>
  );
}

const ALL_SHOWN = {
  state: undefined,
  resourceId: undefined,
  period: undefined,
  cursor: undefined,
};

interface NoIncidentsProps {
  readonly search: Search;
  readonly onShowAll: () => void;
}

function NoIncidents({ search, onShowAll }: NoIncidentsProps) {
  const isFiltered = Object.keys(ALL_SHOWN).some((name) => search[name] !== undefined);
  if (!isFiltered) {
    const action = (
      <Button component={Link} to="/monitors" variant="default">
        Go to monitors
      </Button>
    );
    return (
      <EmptyState
        title="No incidents"
        text="When a monitor or a scenario goes down, its incident appears here with the cause and the alerts that were sent."
        action={action}
      />
    );
  }
  const isOnlyOpen =
    search['state'] === 'open' &&
    search['resourceId'] === undefined &&
    search['period'] === undefined;
  return (
    <EmptyState
      title={isOnlyOpen ? 'Nothing is down' : 'No incidents here'}
      text={
        isOnlyOpen
          ? 'No open incidents. Earlier ones are listed under Resolved.'
          : 'No incident matches this filter.'
      }
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all incidents
        </Button>
      }
    />
  );
}

interface IncidentRowProps {
  readonly incident: Incident;
  readonly nowMs: number;
}

function IncidentRow({ incident, nowMs }: IncidentRowProps) {
  const { id, state, resourceName, cause, regions } = incident;
  const { openedAt, episodeCount, identityProvider } = incident;
  return (
    <CardItem>
      <div className={classes['row']}>
        <Group gap="sm" miw={0}>
          <IncidentState incident={incident} />
          <Anchor
            component={Link}
            to={`/incidents/${id}`}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {resourceName}
          </Anchor>
          <Text size="xs" c="dimmed">
            {nameSubject(incident).toLowerCase()}
          </Text>
        </Group>
        <span className={classes['began']}>
          {TEXT.began} <ShortTime at={openedAt} nowMs={nowMs} />
        </span>
        <span className={classes['down']}>
          {TEXT.downFor(formatDuration(totalDownSeconds(incident, nowMs)), state !== 'resolved')}
        </span>
      </div>
      <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {cause?.message ?? TEXT.unknownCause}
        {identityProvider !== null &&
          ` ${countWords(identityProvider.checkCount, 'check')} could not sign in.`}
        <Text span size="xs" c="dimmed">
          {regions.length > 0 && ` · ${regions.join(', ')}`}
          {incident.acknowledgedAt !== null &&
            ` · ${TEXT.acknowledged} by ${incident.acknowledgedBy ?? 'someone'}`}
        </Text>
      </Text>
      {state === 'open' && <AcknowledgeRow incident={incident} />}
      {episodeCount > 1 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {episodeCount} outages
          </Text>
          <EpisodeList incident={incident} />
        </details>
      )}
    </CardItem>
  );
}

function AcknowledgeRow({ incident }: Pick<IncidentRowProps, 'incident'>) {
  const { id, resourceName, snoozedUntil } = incident;
  const mayWrite = useCan('write');
  const { acknowledge, isPending } = useAcknowledge();
  if (!mayWrite) return null;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  return (
    <Group mt={6}>
      <Button
        size="compact-sm"
        variant="default"
        loading={isPending}
        leftSection={<IconUserCheck size={14} aria-hidden />}
        aria-label={`Acknowledge ${resourceName}`}
        onClick={() => acknowledge({ id, name: resourceName, isSnoozed })}
      >
        Acknowledge
      </Button>
    </Group>
  );
}
