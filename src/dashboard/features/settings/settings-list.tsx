/** The frame of a list in the settings: a description, the button that adds an item, and the items page by page. */
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { withQuery } from '../../shared/data/with-query';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { EmptyState } from '../../shared/ui/empty-state';
import { Pager } from '../../shared/ui/pager';
import { HeadActions } from './head-actions';
import type { SettingsText } from './settings-text';

const PAGE_SIZE = 100;

interface SettingsListProps<Item> {
  readonly path: string;
  readonly text: SettingsText;
  /** The permission required to add items; users without it see no button. */
  readonly mayAdd: 'write' | 'admin';
  readonly icon?: ReactNode;
  readonly onAdd: () => void;
  readonly children: (items: readonly Item[]) => ReactNode;
}

export function SettingsList<Item>(props: SettingsListProps<Item>) {
  const { path, text, mayAdd, icon = <IconPlus size={16} aria-hidden />, onAdd, children } = props;
  const [search] = useSearchState();
  const { data, error } = useRead<Page<Item>>(
    withQuery(path, { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const isAllowed = useCan(mayAdd);
  const isEmpty = data?.data.length === 0;
  const add = isAllowed && (
    <Button onClick={onAdd} leftSection={icon}>
      {text.add}
    </Button>
  );
  return (
    <>
      {data !== undefined && !isEmpty && <HeadActions>{add}</HeadActions>}
      <Text c="dimmed" mb="md">
        {text.about}
      </Text>
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {isEmpty && (
        <EmptyState
          title={text.noneTitle}
          text={isAllowed ? text.none : (text.noneReadOnly ?? text.none)}
          action={add}
        />
      )}
      {data !== undefined && !isEmpty && children(data.data)}
      <Pager nextCursor={data?.nextCursor ?? null} />
    </>
  );
}
