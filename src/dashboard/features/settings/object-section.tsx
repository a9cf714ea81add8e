/**
 * A section of objects in the settings: a description, an add button, and the objects page by page. Contains the form
 * for a new or chosen object.
 */
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { withQuery } from '../../shared/data/with-query';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { CardList } from '../../shared/ui/card-list';
import { EmptyState } from '../../shared/ui/empty-state';
import { Pager } from '../../shared/ui/pager';
import { HeadActions } from './head-actions';
import type { SectionText } from './section-text';

const PAGE_SIZE = 100;

interface ObjectSectionProps<Item> {
  readonly path: string;
  readonly text: SectionText;
  /** The permission that is required to add objects. Users without it see no button. */
  readonly mayAdd?: 'write' | 'admin';
  readonly icon?: ReactNode;
  /** The name of the list for screen readers. */
  readonly label?: string;
  /** Renders an object as a list item. `edit` opens the form of the object. */
  readonly card: (item: Item, edit: () => void, items: readonly Item[]) => ReactNode;
  /** null for a new object. */
  readonly form: (item: Item | null, close: () => void) => ReactNode;
}

export function ObjectSection<Item>(props: ObjectSectionProps<Item>) {
  const { path, text, mayAdd = 'write', label, card, form } = props;
  const { icon = <IconPlus size={16} aria-hidden /> } = props;
  const [edited, setEdited] = useState<{ readonly item: Item | null } | null>(null);
  const [search] = useSearchState();
  const { data, error } = useRead<Page<Item>>(
    withQuery(path, { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const isAllowed = useCan(mayAdd);
  const items = data?.data ?? [];
  const isEmpty = data !== undefined && items.length === 0;
  const add = isAllowed && (
    <Button onClick={() => setEdited({ item: null })} leftSection={icon}>
      {text.add}
    </Button>
  );
  return (
    <>
      {items.length > 0 && <HeadActions>{add}</HeadActions>}
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
      {items.length > 0 && (
        <CardList {...(label !== undefined && { label })}>
          {items.map((item) => card(item, () => setEdited({ item }), items))}
        </CardList>
      )}
      <Pager nextCursor={data?.nextCursor ?? null} />
      {edited !== null && form(edited.item, () => setEdited(null))}
    </>
  );
}
