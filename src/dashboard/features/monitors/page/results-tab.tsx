/** The results of a monitor, newest first; each opens to show everything that was measured. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { CHECK_STATUSES } from '../../../../contracts/outcome';
import { useCheckNow } from '../../../shared/actions/use-check-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { withQuery } from '../../../shared/data/api';
import type { Monitor, Page, Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { LIST_WORDS } from '../../../shared/list/words';
import { Unread } from '../../../shared/loading/unread';
import { STATUS_WORDS } from '../../../shared/text/strings';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { ResultDrawer } from './result-drawer';
import { ResultTable } from './result-table';

export function ResultsTab({ monitor }: { readonly monitor: Monitor }) {
  const [search, setSearch] = useSearchState();
  const { status, region, cursor, result: openedId } = search;
  const path = withQuery(`/v1/monitors/${monitor.id}/results`, { status, region, cursor });
  const { data: page, error } = useRead<Page<Result>>(path);
  return (
    <>
      <ResultFilters regions={monitor.type === 'heartbeat' ? [] : monitor.regions} />
      <Unread of={{ data: page, error }} />
      {page !== undefined && page.data.length === 0 && <NoResults monitor={monitor} />}
      {page !== undefined && page.data.length > 0 && (
        <ResultTable
          results={page.data}
          isSent={monitor.type !== 'heartbeat'}
          onOpen={({ id }) => setSearch({ result: id })}
        />
      )}
      {page !== undefined && <Pager nextCursor={page.nextCursor} />}
      <ResultDrawer monitorId={monitor.id} resultId={openedId} />
    </>
  );
}

function ResultFilters({ regions }: { readonly regions: readonly string[] }) {
  const [search, setSearch] = useSearchState();
  const narrow = (name: string, value: string): void =>
    setSearch({ [name]: value === '' ? undefined : value, cursor: undefined });
  return (
    <Group gap="sm" mb="md">
      <NativeSelect
        label="Status"
        value={search['status'] ?? ''}
        onChange={({ currentTarget }) => narrow('status', currentTarget.value)}
        data={[
          { value: '', label: 'All' },
          ...CHECK_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })),
        ]}
      />
      {regions.length > 0 && (
        <NativeSelect
          label="Region"
          value={search['region'] ?? ''}
          onChange={({ currentTarget }) => narrow('region', currentTarget.value)}
          data={[{ value: '', label: 'All' }, ...regions]}
        />
      )}
    </Group>
  );
}

function NoResults({ monitor }: { readonly monitor: Monitor }) {
  const [search, setSearch] = useSearchState();
  const canRun = useCan('run');
  const checkNow = useCheckNow();
  const isNarrowed = search['status'] !== undefined || search['region'] !== undefined;
  if (isNarrowed || search['cursor'] !== undefined) {
    const clear = (): void =>
      setSearch({ status: undefined, region: undefined, cursor: undefined });
    return (
      <EmptyState
        title={LIST_WORDS.noMatch}
        text="No result matches these filters."
        action={<Button onClick={clear}>{LIST_WORDS.clear}</Button>}
      />
    );
  }
  if (monitor.type === 'heartbeat') {
    const text = 'Each ping that ends a run of the job is a result.';
    return <EmptyState title="No results yet" text={text} />;
  }
  return (
    <EmptyState
      title="No results yet"
      text="The first check runs within seconds of saving."
      action={
        canRun && monitor.state === 'active' ? (
          <Button onClick={() => checkNow(monitor)}>{ACTION_TEXT.checkNow}</Button>
        ) : undefined
      }
    />
  );
}
