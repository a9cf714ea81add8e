/** What can be done to a check from its row. Shows nothing that would be refused. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCheckNow } from '../../shared/actions/use-check-now';
import { useRunNow } from '../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../shared/actions/words';
import { WriteItems } from '../../shared/actions/write-items';
import type { ListedCheck } from '../../shared/data/api-types';
import { pageOf } from '../../shared/data/checks';
import { useCan } from '../../shared/data/session';

export function RowMenu({ check }: { readonly check: ListedCheck }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const isMonitor = check.type === 'monitor';
  // Nothing is sent to a heartbeat.
  const isSent = check.url !== '';
  return (
    // Outside of the box that scrolls, inside of the page.
    <Menu position="bottom-end" portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${ACTION_TEXT.actions}: ${check.name}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={pageOf(check)}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {ACTION_TEXT.open}
        </Menu.Item>
        {canRun && isMonitor && isSent && check.state === 'active' && <CheckNow check={check} />}
        {canRun && !isMonitor && <RunNow check={check} />}
        {canWrite && <WriteItems kind={`${check.type}s`} resource={check} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function CheckNow({ check }: { readonly check: ListedCheck }) {
  const checkNow = useCheckNow();
  return (
    <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => checkNow(check)}>
      {ACTION_TEXT.checkNow}
    </Menu.Item>
  );
}

function RunNow({ check }: { readonly check: ListedCheck }) {
  const run = useRunNow();
  return (
    <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => run(check)}>
      {ACTION_TEXT.run}
    </Menu.Item>
  );
}
