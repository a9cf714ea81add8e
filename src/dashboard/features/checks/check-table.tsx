/** The table itself: sortable column headers, collapsible sections, and keyboard navigation between rows. */
import { Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useFlapping } from '../../shared/alerts/use-flapping';
import { useHasNoRecipients } from '../../shared/alerts/use-has-no-recipients';
import type { ListedCheck, Page } from '../../shared/data/api-types';
import { findCheckType } from '../../shared/data/check-type';
import { useRead } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { hiddenColumns } from '../../shared/list/view-search';
import { StatusIcon } from '../../shared/ui/status';
import { CheckRow } from './check-row';
import classes from './checks.module.css';
import { Peek } from './peek';
import {
  type Column,
  type FiguresById,
  findWorst,
  nextSort,
  readOrder,
  type Section,
} from './rows';
import { Tick } from './tick';
import { focusRow, useRowKeys } from './use-row-keys';
import type { Selection } from './use-selection';
import { type CheckView, columnText, VIEW_TEXT } from './words';

/** How often recent slots are read again. A check without a change sends no event, so polling is necessary. */
const RECENT_EVERY_MS = 30_000;
/** How often the figures of the shown checks are read again. While a check is down, its uptime falls every second. */
const FIGURES_EVERY_MS = { down: 10_000, other: 120_000 } as const;
const COLUMN_COUNT = 12;

interface CheckTableProps {
  readonly view: CheckView;
  /** Sections with the rows on this page of the table. */
  readonly sections: readonly Section[];
  /** The same sections, each with its rows on all pages. */
  readonly totals: readonly Section[];
  readonly figures: FiguresById | undefined;
  /** null when rows cannot be selected. */
  readonly selection: Selection | null;
}

export function CheckTable({ view, sections, totals, figures, selection }: CheckTableProps) {
  const [search] = useSearchState();
  const [peeked, setPeeked] = useState<string | null>(null);
  const checks = sections.flatMap((section) => section.checks);
  const recent = useRecent(checks);
  const fresh = useFreshFigures(checks);
  const hasNoRecipients = useHasNoRecipients();
  const flapping = useFlapping();
  useRowKeys({
    peeked,
    onPeek: setPeeked,
    onToggle: (id) => selection?.toggle(id),
  });
  const closePeek = (): void => {
    setPeeked(null);
    // The row is focused only after the drawer has released the focus.
    if (peeked !== null) setTimeout(() => focusRow(peeked));
  };
  const isCompact = search['rows'] === 'compact';
  return (
    <Paper withBorder className={classes['box'] ?? ''}>
      <Table
        className={classes['table'] ?? ''}
        data-compact={isCompact || undefined}
        data-hide={hiddenColumns(search).join(' ')}
        aria-label={VIEW_TEXT[view].title}
      >
        <Table.Thead>
          <Table.Tr>
            {selection !== null ? (
              <Table.Th className={classes['check'] ?? ''}>
                <SelectAll selection={selection} shown={[...new Set(checks.map(({ id }) => id))]} />
              </Table.Th>
            ) : (
              // This cell is not a `th`, because screen readers would announce an empty column header.
              <Table.Td className={classes['check'] ?? ''} />
            )}
            <Head view={view} column="status" />
            <Head view={view} column="name" />
            <Table.Th className={classes['beats'] ?? ''}>{columnText('beats', view).name}</Table.Th>
            <Head view={view} column="uptime24h" isNumber />
            <Head view={view} column="uptime7d" isNumber />
            <Head view={view} column="uptime30d" isNumber />
            <Head view={view} column="p95" isNumber />
            <Head view={view} column="interval" isNumber />
            <Head view={view} column="last" isNumber />
            <Head view={view} column="tls" isNumber />
            <Table.Th>
              <Text span className={classes['unseen'] ?? ''}>
                Actions
              </Text>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {sections.map((section) => (
          <SectionRows
            key={section.name}
            section={section}
            whole={totals.find(({ name }) => name === section.name) ?? section}
          >
            {(check) => (
              <CheckRow
                key={check.id}
                check={check}
                figures={fresh.get(check.id) ?? figures?.get(check.id)}
                recent={recent?.get(check.id)}
                hasNoRecipients={hasNoRecipients({ ...check, type: findCheckType(check) })}
                isFlapping={flapping.has(check.id)}
                isSelected={selection?.ids.has(check.id) === true}
                onToggle={selection?.toggle ?? null}
              />
            )}
          </SectionRows>
        ))}
      </Table>
      <Peek
        check={checks.find(({ id }) => id === peeked)}
        recent={peeked === null ? undefined : recent?.get(peeked)}
        onClose={closePeek}
      />
    </Paper>
  );
}

type Recent = NonNullable<ListedCheck['recent']>;

/** Returns the most recent slots of the shown checks, by check id. undefined until they have been read. */
function useRecent(checks: readonly ListedCheck[]): ReadonlyMap<string, Recent> | undefined {
  const ids = [...new Set(checks.map(({ id }) => id))].toSorted();
  const { data } = useRead<Page<ListedCheck>>(`/v1/checks?include=recent&ids=${ids.join(',')}`, {
    refetchInterval: RECENT_EVERY_MS,
  });
  if (data === undefined) return undefined;
  return new Map(data.data.map(({ id, recent = [] }) => [id, recent]));
}

type Figures = NonNullable<ListedCheck['figures']>;

/**
 * Returns the latest figures of the shown checks. The page reads them more often than the figures of all checks, and
 * also when an incident opens or closes.
 */
function useFreshFigures(checks: readonly ListedCheck[]): ReadonlyMap<string, Figures> {
  const ids = [...new Set(checks.map(({ id }) => id))].toSorted();
  const isDown = checks.some(({ status }) => status === 'down');
  const { data } = useRead<Page<ListedCheck>>(`/v1/checks?include=figures&ids=${ids.join(',')}`, {
    refetchInterval: isDown ? FIGURES_EVERY_MS.down : FIGURES_EVERY_MS.other,
  });
  return new Map(
    (data?.data ?? []).flatMap(({ id, figures }) => (figures === undefined ? [] : [[id, figures]])),
  );
}

interface HeadProps {
  readonly view: CheckView;
  readonly column: Column;
  readonly isNumber?: boolean;
}

function Head({ view, column, isNumber = false }: HeadProps) {
  const [search, setSearch] = useSearchState();
  const sort = search['sort'];
  const order = readOrder(sort);
  const isSorted = sort !== undefined && order.column === column;
  const Arrow = order.isDescending ? IconArrowDown : IconArrowUp;
  const { name, hint } = columnText(column, view);
  const direction = order.isDescending ? 'descending' : 'ascending';
  return (
    <Table.Th
      className={classes[column] ?? ''}
      aria-sort={isSorted ? direction : 'none'}
      data-number={isNumber || undefined}
    >
      <UnstyledButton
        className={classes['head'] ?? ''}
        title={hint}
        onClick={() =>
          setSearch((current) => ({ sort: nextSort(current['sort'], column), page: undefined }))
        }
      >
        {name}
        {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

interface SelectAllProps {
  readonly selection: Selection;
  readonly shown: readonly string[];
}

function SelectAll({ selection, shown }: SelectAllProps) {
  const count = selection.ids.size;
  return (
    <Tick
      aria-label="Select all checks on this page"
      checked={count === shown.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < shown.length;
      }}
      onChange={() => selection.set(count === shown.length ? [] : shown)}
    />
  );
}

interface SectionRowsProps {
  readonly section: Section;
  readonly whole: Section;
  readonly children: (check: ListedCheck) => React.ReactNode;
}

/** The rows of one section. If the checks are not grouped, there is one section without a name and header. */
function SectionRows({ section, whole, children }: SectionRowsProps) {
  const [isOpen, setIsOpen] = useState(true);
  const { name, checks } = section;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const worst = findWorst(whole.checks);
  const up = whole.checks.filter(({ status }) => status === 'up').length;
  return (
    <Table.Tbody>
      {name !== '' && (
        <Table.Tr className={classes['section'] ?? ''}>
          <Table.Th colSpan={COLUMN_COUNT} scope="rowgroup">
            <UnstyledButton
              className={classes['fold'] ?? ''}
              onClick={() => setIsOpen(!isOpen)}
              aria-expanded={isOpen}
            >
              <Chevron size={16} aria-hidden />
              <StatusIcon status={worst ?? 'pending'} size={16} />
              <span className={classes['section-name']}>{name}</span>
              <Text component="span" size="sm" c="dimmed" fw={400}>
                {up} of {whole.checks.length} up
              </Text>
            </UnstyledButton>
          </Table.Th>
        </Table.Tr>
      )}
      {isOpen && checks.map(children)}
    </Table.Tbody>
  );
}
