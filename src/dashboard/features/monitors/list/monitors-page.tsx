/** All monitors in folders, a page of the server at a time, narrowed by what is in the address. */
import { Button, Checkbox } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedMonitor, Overview, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { FilterBar } from '../../../shared/list/filter-bar';
import { hasFilters, listPath } from '../../../shared/list/list-filters';
import { NoMatch } from '../../../shared/list/no-match';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Loading } from '../../../shared/ui/loading';
import { PageHead } from '../../../shared/ui/page-head';
import { Pager } from '../../../shared/ui/pager';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { LIST_TEXT } from '../words';
import { BulkBar } from './bulk-bar';
import { CountCards } from './count-cards';
import { FolderSection } from './folder-section';
import { foldersOf } from './folders';
import { type Selection, useSelection } from './use-selection';

const NO_GROUPS: Overview['groups'] = [];

export function MonitorsPage() {
  const [search] = useSearchState();
  const canWrite = useCan('write');
  const path = listPath('monitors', search);
  const { data: page, error } = useRead<Page<ListedMonitor>>(path);
  const { data: overview } = useRead<Overview>('/v1/overview');
  const monitors = page?.data ?? [];
  const shown = monitors.map(({ id }) => id);
  const selection = useSelection(path, shown);
  const isNew = overview?.monitors.total === 0 && shown.length === 0 && !hasFilters(search);
  const groups = overview?.groups ?? NO_GROUPS;
  return (
    <>
      <PageHead title={LIST_TEXT.title}>{canWrite && !isNew && <NewButton />}</PageHead>
      {overview !== undefined && !isNew && <CountCards tally={overview.monitors} />}
      {!isNew && <FilterBar kind="monitors" groups={groups.map(({ groupKey }) => groupKey)} />}
      {error !== null && <ProblemNote problem={error} />}
      {page === undefined && error === null && <Loading />}
      {canWrite && shown.length > 0 && <SelectAll selection={selection} shown={shown} />}
      {canWrite && selection.ids.size > 0 && <BulkBar selection={selection} />}
      {foldersOf(monitors, groups).map((folder) => (
        <FolderSection
          key={folder.groupKey}
          folder={folder}
          selection={canWrite ? selection : null}
        />
      ))}
      {page?.data.length === 0 && <Nothing isNew={isNew} canWrite={canWrite} />}
      {page !== undefined && <Pager nextCursor={page.nextCursor} />}
    </>
  );
}

function NewButton({ label = LIST_TEXT.add }: { readonly label?: string }) {
  return (
    <Button component={Link} to="/monitors/new" leftSection={<IconPlus size={18} aria-hidden />}>
      {label}
    </Button>
  );
}

interface SelectAllProps {
  readonly selection: Selection;
  readonly shown: readonly string[];
}

function SelectAll({ selection, shown }: SelectAllProps) {
  const count = selection.ids.size;
  return (
    <Checkbox
      size="xs"
      mb="sm"
      label={LIST_TEXT.selectAll}
      checked={count === shown.length}
      indeterminate={count > 0 && count < shown.length}
      onChange={() => selection.set(count === shown.length ? [] : shown)}
    />
  );
}

interface NothingProps {
  readonly isNew: boolean;
  readonly canWrite: boolean;
}

function Nothing({ isNew, canWrite }: NothingProps): ReactNode {
  if (!isNew) return <NoMatch text={LIST_TEXT.whyNoMatch} />;
  return (
    <EmptyState
      title={LIST_TEXT.none}
      text={LIST_TEXT.whyNone}
      action={canWrite ? <NewButton label={LIST_TEXT.addFirst} /> : undefined}
    />
  );
}
