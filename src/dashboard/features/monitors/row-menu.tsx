/** What can be done to a monitor from its row. Shows nothing that would be refused. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconEdit,
  IconExternalLink,
  IconPlayerPlay,
  IconRefresh,
  IconTool,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedMonitor } from '../../shared/api-types';
import { useCan } from '../../shared/session';
import { PauseItems } from './pause-items';
import { useMonitorActions } from './use-monitor-actions';
import { ACTION_TEXT, LIST_TEXT } from './words';

export function RowMenu({ monitor }: { readonly monitor: ListedMonitor }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const { checkNow } = useMonitorActions();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${LIST_TEXT.actions}: ${monitor.name}`}
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
        {canWrite && <WriteItems monitor={monitor} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function WriteItems({ monitor }: { readonly monitor: ListedMonitor }) {
  const { pause, resume, startMaintenance, remove } = useMonitorActions();
  return (
    <>
      <Menu.Item
        component={Link}
        to={`/monitors/${monitor.id}/edit`}
        leftSection={<IconEdit size={16} aria-hidden />}
      >
        {ACTION_TEXT.edit}
      </Menu.Item>
      <Menu.Item
        component={Link}
        to="/monitors/new"
        search={{ from: monitor.id } as never}
        leftSection={<IconCopy size={16} aria-hidden />}
      >
        {ACTION_TEXT.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTool size={16} aria-hidden />}
        onClick={() => startMaintenance(monitor)}
      >
        {ACTION_TEXT.maintenanceNow}
      </Menu.Item>
      {monitor.state === 'paused' ? (
        <Menu.Item
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => resume(monitor)}
        >
          {ACTION_TEXT.resume}
        </Menu.Item>
      ) : (
        <PauseItems onPause={(minutes) => pause(monitor, minutes)} />
      )}
      <Menu.Divider />
      <Menu.Item
        c="var(--kw-down)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => remove(monitor)}
      >
        {ACTION_TEXT.delete}
      </Menu.Item>
    </>
  );
}
