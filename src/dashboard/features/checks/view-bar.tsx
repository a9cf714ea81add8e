/** The controls for the appearance of the table: grouping, columns, compact rows, and views. */
import { Group, Menu, NativeSelect, Switch, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { CHECK_GROUPINGS, HIDEABLE_COLUMNS } from '../../../contracts/check-list';
import { useSearchState } from '../../shared/data/search';
import { hiddenColumns, toggleColumn } from '../../shared/list/view-search';
import { SmallButton } from '../../shared/ui/small-button';
import classes from './checks.module.css';
import { readGrouping } from './rows';
import { ViewMenu } from './view-menu';
import { type CheckView, columnText, GROUPING_WORDS, TABLE_TEXT } from './words';

interface ViewBarProps {
  readonly view: CheckView;
  /** Number of checks that match the filters. */
  readonly count: number;
}

export function ViewBar({ view, count }: ViewBarProps) {
  return (
    <Group justify="space-between" gap="sm" className={classes['view-bar'] ?? ''}>
      <Text size="sm" c="dimmed" role="status" className={classes['count'] ?? ''}>
        {count} {count === 1 ? view.slice(0, -1) : view}
      </Text>
      <Group gap="md" visibleFrom="sm">
        <ViewControls view={view} />
      </Group>
    </Group>
  );
}

export function ViewControls({ view }: Pick<ViewBarProps, 'view'>) {
  const [search, setSearch] = useSearchState();
  return (
    <>
      <Switch
        size="xs"
        label="Compact"
        checked={search['rows'] === 'compact'}
        onChange={({ currentTarget }) =>
          setSearch({ rows: currentTarget.checked ? 'compact' : undefined })
        }
      />
      <Group gap={6} wrap="nowrap">
        <Text size="xs" aria-hidden>
          {TABLE_TEXT.groupBy}
        </Text>
        <NativeSelect
          size="xs"
          aria-label={TABLE_TEXT.groupBy}
          value={readGrouping(search['by'])}
          onChange={({ currentTarget: { value } }) =>
            setSearch({ by: value === 'group' ? undefined : value, page: undefined })
          }
          data={CHECK_GROUPINGS.map((value) => ({ value, label: GROUPING_WORDS[value] }))}
        />
      </Group>
      <SortSelect />
      <Columns view={view} />
      <ViewMenu view={view} />
    </>
  );
}

const ORDERS = [
  { value: '', label: 'Worst first' },
  { value: 'name', label: 'By name' },
  { value: 'uptime24h', label: 'Lowest uptime' },
  { value: '-p95', label: 'Slowest' },
  { value: 'last', label: 'Last checked' },
  { value: 'tls', label: 'TLS expiry' },
] as const;

/** Selects the order. Needed on narrow screens, which have no column headers. */
function SortSelect() {
  const [search, setSearch] = useSearchState();
  const value = search['sort'] ?? '';
  const isOther = ORDERS.every((order) => order.value !== value);
  return (
    <NativeSelect
      size="xs"
      hiddenFrom="sm"
      aria-label="Sort by"
      value={value}
      onChange={({ currentTarget }) =>
        setSearch({ sort: currentTarget.value || undefined, page: undefined })
      }
      data={[...ORDERS, ...(isOther ? [{ value, label: 'Custom order' }] : [])]}
    />
  );
}

/** Selects the visible columns. Hidden on narrow screens. */
function Columns({ view }: Pick<ViewBarProps, 'view'>) {
  const [search, setSearch] = useSearchState();
  const hidden = hiddenColumns(search);
  return (
    <Menu position="bottom-end" withinPortal={false} closeOnItemClick={false}>
      <Menu.Target>
        <SmallButton visibleFrom="sm" leftSection={<IconColumns3 size={14} aria-hidden />}>
          Columns
        </SmallButton>
      </Menu.Target>
      <Menu.Dropdown>
        {HIDEABLE_COLUMNS.map((column) => (
          <Menu.CheckboxItem
            key={column}
            checked={!hidden.includes(column)}
            onChange={() => setSearch((current) => ({ hide: toggleColumn(current, column) }))}
          >
            {columnText(column, view).name}
            <Text
              span
              size="xs"
              c="dimmed"
              className={classes['narrow'] ?? ''}
              data-column={column}
            >
              {TABLE_TEXT.narrow}
            </Text>
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
