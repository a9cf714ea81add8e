/** The menu of built-in and saved views of the table. Each view is a URL. */
import { Menu, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconBookmark,
  IconBookmarkPlus,
  IconCheck,
  IconDeviceFloppy,
  IconEdit,
  IconLink,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../shared/actions/use-act';
import type { Page, SavedView } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { useCan } from '../../shared/data/session';
import { confirm } from '../../shared/dialog/confirm';
import {
  buildQueryChange,
  buildSearch,
  isEdited,
  SAVED_VIEWS,
} from '../../shared/list/view-search';
import { SmallButton } from '../../shared/ui/small-button';
import classes from './checks.module.css';
import { ViewForm } from './view-form';
import { type CheckView, PRESETS, TABLE_TEXT, VIEW_WORDS } from './words';

const PATH = '/v1/saved-views';

export function ViewMenu({ view }: { readonly view: CheckView }) {
  const [search] = useSearchState();
  const [isOpen, setIsOpen] = useState(false);
  const [form, setForm] = useState<SavedView | 'new' | null>(null);
  const canWrite = useCan('write');
  const chosenId = search['view'];
  const isNeeded = isOpen || chosenId !== undefined;
  const { data } = useRead<Page<SavedView>>(SAVED_VIEWS, { enabled: isNeeded });
  const views = (data?.data ?? []).filter(({ list }) => list === view);
  const chosen = views.find(({ id }) => id === chosenId);
  const title =
    chosen === undefined ? TABLE_TEXT.views : formatTitle(chosen, isEdited(chosen, search));
  return (
    <>
      <Menu
        position="bottom-end"
        width={260}
        withinPortal={false}
        opened={isOpen}
        onChange={setIsOpen}
      >
        <Menu.Target>
          <SmallButton
            leftSection={<IconBookmark size={14} aria-hidden />}
            aria-label={chosen === undefined ? TABLE_TEXT.views : `${TABLE_TEXT.views}: ${title}`}
          >
            <span className={classes['view-name']}>{title}</span>
          </SmallButton>
        </Menu.Target>
        <Menu.Dropdown className={classes['views'] ?? ''}>
          <Menu.Label>{VIEW_WORDS.presets}</Menu.Label>
          {PRESETS.map(({ name, search: preset }) => (
            <Menu.Item key={name} component={Link} to={`/${view}`} search={preset as never}>
              {name}
            </Menu.Item>
          ))}
          <ViewLinks
            label={VIEW_WORDS.shared}
            views={views.filter(({ isShared }) => isShared)}
            chosen={chosen}
          />
          <ViewLinks
            label={VIEW_WORDS.own}
            views={views.filter(({ isShared }) => !isShared)}
            chosen={chosen}
          />
          <Menu.Divider />
          {canWrite && (
            <Menu.Item
              leftSection={<IconBookmarkPlus size={14} aria-hidden />}
              onClick={() => setForm('new')}
            >
              {VIEW_WORDS.saveAs}
            </Menu.Item>
          )}
          {canWrite && chosen !== undefined && (
            <ChosenItems view={chosen} onRename={() => setForm(chosen)} />
          )}
          <CopyLink />
        </Menu.Dropdown>
      </Menu>
      {form !== null && (
        <ViewForm
          list={view}
          stored={form === 'new' ? null : form}
          path={PATH}
          onClose={() => setForm(null)}
        />
      )}
    </>
  );
}

function formatTitle({ name }: SavedView, hasEdits: boolean): string {
  return hasEdits ? `${name} (${VIEW_WORDS.edited})` : name;
}

interface ViewLinksProps {
  readonly label: string;
  readonly views: readonly SavedView[];
  readonly chosen: SavedView | undefined;
}

function ViewLinks({ label, views, chosen }: ViewLinksProps) {
  if (views.length === 0) return null;
  const byName = views.toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {byName.map((view) => (
        <Menu.Item
          key={view.id}
          component={Link}
          to={`/${view.list}`}
          search={buildSearch(view) as never}
          aria-current={view.id === chosen?.id || undefined}
          rightSection={view.id === chosen?.id && <IconCheck size={14} aria-hidden />}
        >
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {view.name}
          </Text>
        </Menu.Item>
      ))}
    </>
  );
}

interface ChosenItemsProps {
  readonly view: SavedView;
  readonly onRename: () => void;
}

/** Actions on the view that the URL names. */
function ChosenItems({ view, onRename }: ChosenItemsProps) {
  const [search, setSearch] = useSearchState();
  const { act } = useAct([PATH]);
  const { id, name, version } = view;
  const update = (): void =>
    act(
      {
        method: 'PATCH',
        path: `${PATH}/${id}`,
        body: { query: buildQueryChange(search) },
        ifVersion: version,
      },
      { done: VIEW_WORDS.saved },
    );
  const remove = (): void =>
    confirm({
      title: `Delete the view “${name}”?`,
      text: VIEW_WORDS.deleteText,
      action: 'Delete',
      onConfirm: () =>
        act(
          { method: 'DELETE', path: `${PATH}/${id}` },
          { done: VIEW_WORDS.deleted, onDone: () => setSearch({ view: undefined }) },
        ),
    });
  return (
    <>
      {isEdited(view, search) && (
        <Menu.Item leftSection={<IconDeviceFloppy size={14} aria-hidden />} onClick={update}>
          {VIEW_WORDS.update}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconEdit size={14} aria-hidden />} onClick={onRename}>
        {VIEW_WORDS.rename}
      </Menu.Item>
      <Menu.Item
        c="var(--kw-down)"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={remove}
      >
        {VIEW_WORDS.delete}
      </Menu.Item>
    </>
  );
}

function CopyLink() {
  const clipboard = useClipboard();
  const Icon = clipboard.copied ? IconCheck : IconLink;
  return (
    <Menu.Item
      closeMenuOnClick={false}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => clipboard.copy(window.location.href)}
    >
      {clipboard.copied ? 'Link copied' : 'Copy link to this view'}
    </Menu.Item>
  );
}
