/** The results of a monitor, newest first; each opens to show everything that was measured. */
import { Anchor, Button, Drawer, Group, NativeSelect, Paper, Table, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { CHECK_STATUSES } from '../../../../contracts/outcome';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import { useCheckNow } from '../../../shared/actions/use-check-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { withQuery } from '../../../shared/data/api';
import type { Monitor, Page, Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { dropUnknown } from '../../../shared/list/list-filters';
import { LIST_WORDS } from '../../../shared/list/words';
import { Unread } from '../../../shared/loading/unread';
import { ResultView } from '../../../shared/results/result-view';
import { STATUS_WORDS } from '../../../shared/text/strings';
import { absolute, ClockTime, milliseconds } from '../../../shared/text/time';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { StatusLabel } from '../../../shared/ui/status';
import { TableHead } from '../../../shared/ui/table-head';

const OFFERED = { status: CHECK_STATUSES };

export function ResultsTab({ monitor }: { readonly monitor: Monitor }) {
  const [search, setSearch] = useSearchState();
  const { status, region, cursor, result: openedId } = dropUnknown(search, OFFERED);
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

interface ResultDrawerProps {
  readonly monitorId: string;
  /** undefined when the drawer is closed. */
  readonly resultId: string | undefined;
}

/** One result in a drawer next to the list. The URL contains its id, so that the link can be shared. */
function ResultDrawer({ monitorId, resultId }: ResultDrawerProps) {
  const [, setSearch] = useSearchState();
  return (
    <Drawer
      opened={resultId !== undefined}
      onClose={() => setSearch({ result: undefined })}
      position="right"
      size="lg"
      title="Result"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {resultId !== undefined && <Content monitorId={monitorId} resultId={resultId} />}
    </Drawer>
  );
}

function Content({
  monitorId,
  resultId,
}: {
  readonly monitorId: string;
  readonly resultId: string;
}) {
  const path = `/v1/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
  const { data: result, error } = useRead<Result>(path);
  // The data may still belong to the previous result.
  if (result?.id !== resultId) return <Unread of={{ data: undefined, error }} />;
  return (
    <>
      <Group mb="sm">
        <CopyTextButton
          text={window.location.origin + buildPath(monitorId, resultId)}
          label="Copy link"
          copiedLabel="Link copied"
          Icon={IconLink}
          size="compact-sm"
        />
        <Button
          component={Link}
          to={buildPath(monitorId, resultId)}
          size="compact-sm"
          variant="default"
        >
          Open result
        </Button>
      </Group>
      <ResultView result={result} />
    </>
  );
}

/** Returns the path of the result's own page, which compares it with the last passing result. */
function buildPath(monitorId: string, resultId: string): string {
  return `/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
}

interface ResultTableProps {
  readonly results: readonly Result[];
  /** False for heartbeats, which send no requests. */
  readonly isSent: boolean;
  readonly onOpen: (result: Result) => void;
}

/** A table of results. The time in each row is a button that opens the result. */
function ResultTable({ results, isSent, onOpen }: ResultTableProps) {
  return (
    <Paper withBorder>
      <ScrollBox label="Results" minWidth={640}>
        <Table fz="sm" highlightOnHover style={{ whiteSpace: 'nowrap' }}>
          <TableHead
            columns={['When', 'Status', ...(isSent ? ['Region', 'Code'] : []), 'Time', 'Failure']}
          />
          <Table.Tbody>
            {results.map((result) => (
              <ResultRow key={result.id} result={result} isSent={isSent} onOpen={onOpen} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

interface ResultRowProps extends Pick<ResultTableProps, 'isSent' | 'onOpen'> {
  readonly result: Result;
}

function ResultRow({ result, isSent, onOpen }: ResultRowProps) {
  const { slot, startedAt, status, region, response, responseTimeMs } = result;
  const at = startedAt ?? slot;
  return (
    <Table.Tr onClick={() => onOpen(result)} style={{ cursor: 'pointer' }}>
      <Table.Td>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(result);
          }}
          aria-label={`Open the result of ${absolute(at)}`}
        >
          <ClockTime at={at} />
        </Anchor>
        {result.kind === 'manual' && (
          <Text size="xs" c="dimmed">
            manual
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StatusLabel status={status} />
        {result.inMaintenance && (
          <Text size="xs" c="dimmed">
            in maintenance
          </Text>
        )}
      </Table.Td>
      {isSent && <Table.Td>{region}</Table.Td>}
      {isSent && <Table.Td>{response?.status ?? '–'}</Table.Td>}
      <Table.Td>{milliseconds(responseTimeMs)}</Table.Td>
      <Table.Td miw={220} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {wrongText(result)}
      </Table.Td>
    </Table.Tr>
  );
}

function wrongText({ gap, failure, assertions }: Result): string {
  if (gap !== null) return gap.slots === 1 ? '1 check missed' : `${gap.slots} checks missed`;
  if (failure === null) return assertions.find(({ ok }) => !ok)?.message ?? '–';
  return failure.message === '' ? FAILURE_WORDS[failure.code] : failure.message;
}
