/** The audit trail: who changed what and when. The filters are in the URL. */
import { Box, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { withQuery } from '../../../shared/data/api';
import type { ApiKey, AuditEvent, Member, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { DateRangeField } from '../../../shared/list/date-range-field';
import { FilterSheet } from '../../../shared/list/filter-sheet';
import { LIST_WORDS } from '../../../shared/list/words';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { calendarDay, ZONE } from '../../../shared/text/time-text';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Heading } from '../../../shared/ui/heading';
import { Pager } from '../../../shared/ui/pager';
import classes from './audit.module.css';
import { AuditItem } from './audit-item';
import { endOfDay, startOfDay } from './audit-times';
import { ACTIONS, type AuditRow, actionWords, findResourceName, groupEvents } from './audit-words';
import { useResourceNames } from './use-resource-names';

const PAGE_SIZE = 50;

export function AuditSection() {
  const [search, change] = useSearchState();
  const { data, error } = useRead<Page<AuditEvent>>(
    withQuery('/v1/audit-events', {
      limit: PAGE_SIZE,
      cursor: search['cursor'],
      action: search['action'],
      actor: search['actor'],
      resourceId: search['resourceId'],
      from: startOfDay(search['from']),
      to: endOfDay(search['to']),
    }),
  );
  const names = useResourceNames(data?.data ?? []);
  const isFiltered = AUDIT_FILTERS.some((name) => search[name] !== undefined);
  return (
    <>
      <Text c="dimmed" mb="md">
        Changes and sign-ins of people and API keys, kept for 400 days. Secrets are masked. Times
        are in {ZONE}.
      </Text>
      <AuditFilters names={names} events={data?.data ?? []} />
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data?.data.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No event matches this filter' : 'No changes yet'}
          text="Changes appear here right after they are made."
          action={
            isFiltered && (
              <Button variant="default" onClick={() => change(NO_AUDIT_FILTERS)}>
                Show everything
              </Button>
            )
          }
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <Stack gap="lg">
          {groupDays(groupEvents(data.data)).map(([day, rows]) => (
            <section key={day} aria-label={day}>
              <Heading size="h6" mb={6}>
                {day}
              </Heading>
              <Paper withBorder>
                <div className={`${classes['row']} ${classes['head']}`} aria-hidden>
                  <span>Time</span>
                  <span>Who</span>
                  <span>Change</span>
                </div>
                <ul className={classes['list']}>
                  {rows.map((row) => (
                    <AuditItem key={row.event.id} row={row} names={names} />
                  ))}
                </ul>
              </Paper>
            </section>
          ))}
        </Stack>
      )}
      <Pager nextCursor={data?.nextCursor ?? null} />
    </>
  );
}

/** Groups the rows by day in local time, in the order of the trail. */
function groupDays(rows: readonly AuditRow[]): readonly [string, AuditRow[]][] {
  const days = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const day = calendarDay(row.event.at);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days];
}

const CHOICES_SHOWN = 100;

const CHOSEN = ['action', 'actor', 'resourceId'] as const;
const AUDIT_FILTERS = [...CHOSEN, 'from', 'to'] as const;
const NO_AUDIT_FILTERS = {
  action: undefined,
  actor: undefined,
  resourceId: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
};

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface AuditFiltersProps {
  /** Names of resources, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The shown events. They contain the names of deleted resources. */
  readonly events: readonly AuditEvent[];
}

/** The filters of the audit trail: a person or key, a resource, an action, and days. Each is chosen by name. */
function AuditFilters({ names, events }: AuditFiltersProps) {
  const [search, change] = useSearchState();
  const chosen = CHOSEN.filter((name) => search[name] !== undefined).length;
  const count = chosen + (search['from'] === undefined && search['to'] === undefined ? 0 : 1);
  const clear = count > 0 && (
    <Button
      variant="subtle"
      leftSection={<IconX size={16} aria-hidden />}
      onClick={() => change(NO_AUDIT_FILTERS)}
    >
      {LIST_WORDS.clear}
    </Button>
  );
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <SimpleGrid cols={4} spacing="xs" visibleFrom="sm" flex="1 0 100%">
        <Fields names={names} events={events} />
      </SimpleGrid>
      {clear && <Box visibleFrom="sm">{clear}</Box>}
      <FilterSheet count={count}>
        <Fields names={names} events={events} />
        {clear}
      </FilterSheet>
    </Group>
  );
}

function Fields({ names, events }: AuditFiltersProps) {
  const [search, change] = useSearchState();
  const people = usePeople();
  const things = [...names].map(([value, label]) => ({ value, label }));
  const shown = events.find(({ resourceId }) => resourceId === search['resourceId']);
  const actions = ACTIONS.map((value) => ({ value, label: actionWords(value) }));
  const bindChoice = (
    name: (typeof CHOSEN)[number],
    choices: readonly Choice[],
    label?: string,
  ) => ({
    data: [...withChosen(choices, search[name], label)],
    value: search[name] ?? null,
    onChange: (value: string | null) => change({ [name]: value ?? undefined, cursor: undefined }),
    searchable: true,
    clearable: true,
    limit: CHOICES_SHOWN,
    nothingFoundMessage: 'Nothing found',
  });
  return (
    <>
      <Select label="Who" placeholder="Anyone" {...bindChoice('actor', people)} />
      <Select
        label="Object"
        placeholder="Anything"
        {...bindChoice('resourceId', things, shown && findResourceName(shown, names))}
      />
      <Select label="Action" placeholder="Any" {...bindChoice('action', actions)} />
      <DateRangeField
        label="Period"
        value={{ from: search['from'], to: search['to'] }}
        onChange={({ from, to }) => change({ from, to, cursor: undefined })}
      />
    </>
  );
}

/** Lists everyone who can act: members and API keys. */
function usePeople(): readonly Choice[] {
  const { data: members } = useRead<Page<Member>>('/v1/members?limit=500');
  const { data: keys } = useRead<Page<ApiKey>>('/v1/api-keys?limit=500');
  return [
    ...(members?.data ?? []).map(({ id, email }) => ({ value: id, label: email })),
    ...(keys?.data ?? []).map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ];
}

/** Adds the value of the URL to the choices if it is missing, so that the value stays selected. */
function withChosen(
  choices: readonly Choice[],
  chosen: string | undefined,
  label = chosen,
): readonly Choice[] {
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: label ?? chosen }];
}
