/** How the table is shown: groups, compact rows, and views to begin with. */
import { Button, Group, Menu, NativeSelect, Switch, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconBookmark, IconCheck, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSearchState } from '../../shared/data/search';
import { GROUPINGS, groupingOf } from './rows';
import { type CheckView, GROUPING_WORDS, PRESETS, TABLE_TEXT } from './words';

interface ViewBarProps {
  readonly view: CheckView;
  /** Checks that the filters leave. */
  readonly count: number;
}

export function ViewBar({ view, count }: ViewBarProps) {
  const [search, setSearch] = useSearchState();
  const grouping = groupingOf(search['by']);
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {count === 1 ? '1 check' : `${count} checks`}
      </Text>
      <Group gap="md">
        <Switch
          size="xs"
          label={TABLE_TEXT.compact}
          checked={search['rows'] === 'compact'}
          onChange={({ currentTarget }) =>
            setSearch({ rows: currentTarget.checked ? 'compact' : undefined })
          }
        />
        <Group gap={6} wrap="nowrap">
          <Text size="sm" aria-hidden>
            {TABLE_TEXT.groupBy}
          </Text>
          <NativeSelect
            size="xs"
            aria-label={TABLE_TEXT.groupBy}
            value={grouping}
            onChange={({ currentTarget: { value } }) =>
              setSearch({ by: value === 'group' ? undefined : value, page: undefined })
            }
            data={GROUPINGS.map((value) => ({ value, label: GROUPING_WORDS[value] }))}
          />
        </Group>
        <Views view={view} />
      </Group>
    </Group>
  );
}

/** Addresses to begin with; what is in the address can be shared and bookmarked. */
function Views({ view }: Pick<ViewBarProps, 'view'>) {
  const clipboard = useClipboard();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBookmark size={14} aria-hidden />}
          aria-label={TABLE_TEXT.views}
        >
          {TABLE_TEXT.views}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PRESETS.map(({ name, search }) => (
          <Menu.Item key={name} component={Link} to={`/${view}`} search={search as never}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={
            clipboard.copied ? (
              <IconCheck size={14} aria-hidden />
            ) : (
              <IconLink size={14} aria-hidden />
            )
          }
          onClick={() => clipboard.copy(window.location.href)}
        >
          {clipboard.copied ? TABLE_TEXT.viewCopied : TABLE_TEXT.copyView}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
