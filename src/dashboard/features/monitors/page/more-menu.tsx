/** The less common actions of a monitor's page. Leaves out actions that would be refused. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { TemporalItem } from '../../../shared/actions/temporal-item';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { WriteItems } from '../../../shared/actions/write-items';
import type { Monitor } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';

export function MoreMenu({ monitor }: { readonly monitor: Monitor }) {
  const canWrite = useCan('write');
  const { url } = monitor.links.temporal;
  if (!canWrite && url === null) return null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={ACTION_TEXT.actions}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canWrite ? (
          <WriteItems kind="monitors" resource={monitor} isOnItsPage>
            <TemporalItem url={url} />
          </WriteItems>
        ) : (
          <TemporalItem url={url} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
