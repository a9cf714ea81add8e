/** All monitors and scenarios in one table; its filters, order and groups are in the page's URL. */
import { Button, Group, Stack, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ListedCheck, Status } from '../../shared/data/api-types';
import { useChecks, useFigures } from '../../shared/data/checks';
import { useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { isStatusChosen, toggleStatus, withoutFilters } from '../../shared/list/list-filters';
import { LIST_WORDS } from '../../shared/list/words';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { STATUS_WORDS } from '../../shared/text/strings';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { StatusIcon } from '../../shared/ui/status';
import { BulkBar } from './bulk-bar';
import { CheckTable } from './check-table';
import classes from './checks.module.css';
import { FilterBar } from './filter-bar';
import { PageButtons } from './page-buttons';
import {
  filterChecks,
  groupChecks,
  readGrouping,
  readOrder,
  sortByName,
  sortChecks,
  takePage,
} from './rows';
import { useSelection } from './use-selection';
import { ViewBar, ViewControls } from './view-bar';
import { ViewSwitch } from './view-switch';
import { type CheckView, VIEW_TEXT } from './words';

/** Statuses that the filter always offers. Other statuses are offered only if a check has them. */
const ALWAYS: readonly Status[] = ['down', 'up', 'paused'];
const ORDER: readonly Status[] = [
  'down',
  'degraded',
  'up',
  'maintenance',
  'paused',
  'pending',
  'unknown',
];

function CountCards({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const [search, setSearch] = useSearchState();
  const countStatus = (status: Status) => checks.filter((check) => check.status === status).length;
  const shown = ORDER.map((status) => [status, countStatus(status)] as const).filter(
    ([status, count]) => ALWAYS.includes(status) || count > 0 || isStatusChosen(search, status),
  );
  return (
    <fieldset className={classes['cards']} aria-label="Filter by status">
      <UnstyledButton
        className={classes['card']}
        aria-pressed={!ORDER.some((status) => isStatusChosen(search, status))}
        onClick={() => setSearch({ status: undefined, page: undefined })}
      >
        <span className={classes['number']}>{checks.length}</span>
        <span>All</span>
      </UnstyledButton>
      {shown.map(([status, count]) => (
        <UnstyledButton
          key={status}
          className={classes['card']}
          data-empty={(count === 0 && !isStatusChosen(search, status)) || undefined}
          aria-pressed={isStatusChosen(search, status)}
          onClick={() =>
            setSearch((current) => ({ status: toggleStatus(current, status), page: undefined }))
          }
        >
          <span className={classes['number']}>{count}</span>
          <span className={classes['card-word']}>
            <span aria-hidden className={classes['card-icon']}>
              <StatusIcon status={status} size={15} />
            </span>
            {STATUS_WORDS[status]}
          </span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

const PAGE_SIZE = 50;

export function ChecksPage() {
  return <TablePage view="checks" />;
}

export function MonitorsPage() {
  return <TablePage view="monitors" />;
}

export function ScenariosPage() {
  return <TablePage view="scenarios" />;
}

function TablePage({ view }: { readonly view: CheckView }) {
  const canWrite = useCan('write');
  const { checks: all, error } = useChecks();
  const checks = useMemo(() => pickChecks(view, all), [view, all]);
  const isNew = checks?.length === 0;
  return (
    <>
      <PageHead title={VIEW_TEXT[view].title} aside={<ViewSwitch view={view} visibleFrom="sm" />}>
        {canWrite && checks !== undefined && !isNew && <NewButtons view={view} />}
      </PageHead>
      <Unread of={{ data: checks, error }} shape={<PageLoading isBelowHead />} />
      {isNew && <Nothing view={view} canWrite={canWrite} />}
      {checks !== undefined && !isNew && <Table view={view} checks={checks} />}
    </>
  );
}

function pickChecks(view: CheckView, all: readonly ListedCheck[] | undefined) {
  const found = all?.filter(({ type }) => view === 'checks' || `${type}s` === view);
  return found === undefined ? undefined : sortByName(found);
}

interface TableProps {
  readonly view: CheckView;
  readonly checks: readonly ListedCheck[];
}

function Table({ view, checks }: TableProps) {
  const [search] = useSearchState();
  const canWrite = useCan('write');
  const figures = useFigures();
  const order = readOrder(search['sort']);
  const found = useMemo(
    () => sortChecks(filterChecks(checks, search), readOrder(search['sort']), figures),
    [checks, search, figures],
  );
  const sections = groupChecks(found, readGrouping(search['by']), order);
  const wanted = { page: Number(search['page'] ?? 1) || 1, size: PAGE_SIZE, order };
  const { shown, page, pages } = takePage(sections, wanted);
  const ids = shown.flatMap((section) => section.checks.map(({ id }) => id));
  const pageKey = `${view} ${new URLSearchParams(search)}`;
  const selection = useSelection(pageKey, ids);
  return (
    <Stack className={classes['list'] ?? ''}>
      <CountCards checks={checks} />
      <FilterBar
        checks={checks}
        lists={<ViewSwitch view={view} hiddenFrom="sm" />}
        shown={<ViewControls view={view} />}
      />
      <ViewBar view={view} count={found.length} />
      {canWrite && selection.ids.size > 0 && <BulkBar selection={selection} />}
      {found.length === 0 ? (
        <NoMatch text="No check matches these filters." />
      ) : (
        <CheckTable
          view={view}
          sections={shown}
          totals={sections}
          figures={figures}
          selection={canWrite ? selection : null}
        />
      )}
      <PageButtons page={page} pages={pages} />
    </Stack>
  );
}

function NewButtons({ view }: { readonly view: CheckView }) {
  return (
    <Group gap="xs">
      {view !== 'monitors' && (
        <NewButton
          to="/scenarios/new"
          label="New scenario"
          isMain={view === 'scenarios'}
          isForWide={view === 'checks'}
        />
      )}
      {view !== 'scenarios' && <NewButton to="/monitors/new" label="New monitor" isMain />}
    </Group>
  );
}

interface NewButtonProps {
  readonly to: string;
  readonly label: string;
  readonly isMain: boolean;
  /** True means that the button is hidden on narrow pages. */
  readonly isForWide?: boolean;
}

function NewButton({ to, label, isMain, isForWide = false }: NewButtonProps) {
  return (
    <Button
      component={Link}
      to={to}
      variant={isMain ? 'filled' : 'default'}
      {...(isForWide && { visibleFrom: 'sm' })}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {label}
    </Button>
  );
}

function Nothing({ view, canWrite }: { readonly view: CheckView; readonly canWrite: boolean }) {
  const { none, whyNone } = VIEW_TEXT[view];
  const isScenarios = view === 'scenarios';
  const to = isScenarios ? '/scenarios/new' : '/monitors/new';
  return (
    <EmptyState
      title={none}
      text={whyNone}
      action={
        canWrite ? (
          <Button component={Link} to={to} leftSection={<IconPlus size={18} aria-hidden />}>
            {isScenarios ? 'Create your first scenario' : 'Create your first monitor'}
          </Button>
        ) : undefined
      }
    />
  );
}

/** Shown when no row matches the filters. Contains a button that clears the filters. */
function NoMatch({ text }: { readonly text: string }) {
  const [, setSearch] = useSearchState();
  return (
    <EmptyState
      title={LIST_WORDS.noMatch}
      text={text}
      action={<Button onClick={() => setSearch(withoutFilters())}>{LIST_WORDS.clear}</Button>}
    />
  );
}
