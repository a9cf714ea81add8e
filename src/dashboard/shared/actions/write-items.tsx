/** The menu items that change a monitor or scenario. */
import { Menu } from '@mantine/core';
import { IconCopy, IconEdit, IconPlayerPlay, IconTool, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListKind } from '../list/list-filters';
import type { Pausable } from './pause-body';
import { PauseItems } from './pause-items';
import { type Named, useResourceActions } from './use-resource-actions';
import { ACTION_TEXT } from './words';

interface WriteItemsProps {
  readonly kind: ListKind;
  readonly resource: Named & Pausable;
  /** True means that the page has its own buttons to edit, pause and resume, so the menu leaves them out. */
  readonly isOnItsPage?: boolean;
  /** More items, shown before the delete item. */
  readonly children?: ReactNode;
}

export function WriteItems({ kind, resource, isOnItsPage = false, children }: WriteItemsProps) {
  const { pause, resume, startMaintenance, remove } = useResourceActions(kind);
  return (
    <>
      {!isOnItsPage && (
        <Menu.Item
          component={Link}
          to={`/${kind}/${resource.id}/edit`}
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          {ACTION_TEXT.edit}
        </Menu.Item>
      )}
      <Menu.Item
        component={Link}
        to={`/${kind}/new`}
        search={{ from: resource.id } as never}
        leftSection={<IconCopy size={16} aria-hidden />}
      >
        {ACTION_TEXT.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTool size={16} aria-hidden />}
        onClick={() => startMaintenance(resource)}
      >
        {ACTION_TEXT.maintenanceNow}
      </Menu.Item>
      {!isOnItsPage &&
        (resource.state === 'paused' ? (
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => resume(resource)}
          >
            {ACTION_TEXT.resume}
          </Menu.Item>
        ) : (
          <PauseItems onPause={(minutes) => pause(resource, minutes)} />
        ))}
      {children}
      <Menu.Divider />
      <Menu.Item
        c="var(--kw-down)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => remove(resource)}
      >
        {ACTION_TEXT.delete}
      </Menu.Item>
    </>
  );
}
