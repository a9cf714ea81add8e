/** The rarer actions of a monitor's page. Shows nothing that would be refused. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconExternalLink, IconTool, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Monitor } from '../../shared/api-types';
import { useCan } from '../../shared/session';
import { useMonitorActions } from './use-monitor-actions';
import { ACTION_TEXT, LIST_TEXT } from './words';

export function MoreMenu({ monitor }: { readonly monitor: Monitor }) {
  const canWrite = useCan('write');
  const { startMaintenance, remove } = useMonitorActions();
  const { url } = monitor.links.temporal;
  if (!canWrite && url === null) return null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={LIST_TEXT.actions}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canWrite && (
          <>
            <Menu.Item
              leftSection={<IconTool size={16} aria-hidden />}
              onClick={() => startMaintenance(monitor)}
            >
              {ACTION_TEXT.maintenanceNow}
            </Menu.Item>
            <Menu.Item
              component={Link}
              to="/monitors/new"
              search={{ from: monitor.id } as never}
              leftSection={<IconCopy size={16} aria-hidden />}
            >
              {ACTION_TEXT.duplicate}
            </Menu.Item>
          </>
        )}
        {url !== null && (
          <Menu.Item
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {ACTION_TEXT.openInTemporal}
          </Menu.Item>
        )}
        {canWrite && (
          <>
            <Menu.Divider />
            <Menu.Item
              c="var(--kw-down)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => remove(monitor)}
            >
              {ACTION_TEXT.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
