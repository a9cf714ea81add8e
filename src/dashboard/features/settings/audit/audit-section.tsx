/** Who changed what and when; the filters are in the address. */
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { withQuery } from '../../../shared/data/api';
import type { AuditEvent, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { CardList } from '../../../shared/ui/card-list';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { AuditItem } from './audit-item';
import { endOfDay, startOfDay } from './audit-times';

const PAGE_SIZE = 50;
const TYPING_MS = 400;
const FILTERS = ['action', 'actor', 'resourceId', 'from', 'to'] as const;
const NO_FILTERS = {
  action: undefined,
  actor: undefined,
  resourceId: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
};

export function AuditSection() {
  const [search, change] = useSearchState();
  const [shownFilters, setShownFilters] = useState(0);
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
  const isFiltered = FILTERS.some((name) => search[name] !== undefined);
  const clear = (): void => {
    change(NO_FILTERS);
    setShownFilters(shownFilters + 1);
  };
  return (
    <>
      <Text c="dimmed" mb="md">
        Every change by a person or an API key, kept for 400 days. Secrets are masked.
      </Text>
      <Filters key={shownFilters} />
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {data?.data.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No event matches this filter' : 'No changes yet'}
          text="Changes appear here right after they are made."
          action={
            isFiltered && (
              <Button variant="default" onClick={clear}>
                Show everything
              </Button>
            )
          }
        />
      )}
      <CardList>
        {data?.data.map((event) => (
          <AuditItem key={event.id} event={event} />
        ))}
      </CardList>
      <Pager nextCursor={data?.nextCursor ?? null} />
    </>
  );
}

/** Typed text goes into the address when the typing rests. */
function Filters() {
  const [search, change] = useSearchState();
  const changeLater = useDebouncedCallback(
    (name: string, value: string) => change({ [name]: value.trim(), cursor: undefined }),
    TYPING_MS,
  );
  const fieldOf = (name: (typeof FILTERS)[number]) => ({
    defaultValue: search[name] ?? '',
    maxLength: 100,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      changeLater(name, currentTarget.value),
  });
  return (
    <SimpleGrid cols={{ base: 2, sm: 5 }} mb="md" spacing="xs" maw={820}>
      <TextInput label="Action" placeholder="monitor.update" {...fieldOf('action')} />
      <TextInput label="Actor ID" placeholder="usr_…" {...fieldOf('actor')} />
      <TextInput label="Resource ID" placeholder="mon_…" {...fieldOf('resourceId')} />
      <TextInput label="From" type="date" {...fieldOf('from')} />
      <TextInput label="To" type="date" {...fieldOf('to')} />
    </SimpleGrid>
  );
}
