/** What can be done to a monitor from its row. Shows nothing that would be refused. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { WriteItems } from '../../../shared/actions/write-items';
import type { ListedMonitor } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { useCheckNow } from '../use-check-now';
import { ACTION_TEXT } from '../words';

export function RowMenu({ monitor }: { readonly monitor: ListedMonitor }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const checkNow = useCheckNow();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${ACTION_TEXT.actions}: ${monitor.name}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={`/monitors/${monitor.id}`}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {ACTION_TEXT.open}
        </Menu.Item>
        {canRun && monitor.state === 'active' && (
          <Menu.Item
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => checkNow(monitor)}
          >
            {ACTION_TEXT.checkNow}
          </Menu.Item>
        )}
        {canWrite && <WriteItems kind="monitors" resource={monitor} />}
      </Menu.Dropdown>
    </Menu>
  );
}
