/** Actions on a check from its row. Leaves out actions that would be refused. */
import { Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ComponentPropsWithRef, useEffect, useRef, useState } from 'react';
import { useCheckNow } from '../../shared/actions/use-check-now';
import { useRunNow } from '../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../shared/actions/words';
import { WriteItems } from '../../shared/actions/write-items';
import type { ListedCheck } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useCan } from '../../shared/data/session';
import classes from './checks.module.css';

interface RowMenuProps {
  readonly check: ListedCheck;
}

/** A menu costs more to render than the rest of its row, so it is created on the first press. */
export function RowMenu({ check }: RowMenuProps) {
  const [isUsed, setIsUsed] = useState(false);
  if (isUsed) return <UsedMenu check={check} />;
  return (
    <MenuButton
      check={check}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsUsed(true)}
    />
  );
}

type MenuButtonProps = RowMenuProps & ComponentPropsWithRef<'button'>;

function MenuButton({ check, ...props }: MenuButtonProps) {
  return (
    <button
      type="button"
      aria-label={`${ACTION_TEXT.actions}: ${check.name}`}
      {...props}
      className={`mantine-focus-auto ${classes['dots']}`}
    >
      <IconDots size={18} aria-hidden />
    </button>
  );
}

function UsedMenu({ check }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The menu opens after its button is mounted, so that the focus can return to the button.
  useEffect(() => {
    button.current?.focus();
    setIsOpen(true);
  }, []);
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const isMonitor = check.type === 'monitor';
  // Heartbeats send no request.
  const isSent = check.url !== '';
  return (
    // Rendered outside the scroll container, but inside the page.
    <Menu
      position="bottom-end"
      portalProps={{ target: '#content' }}
      opened={isOpen}
      onChange={setIsOpen}
    >
      <Menu.Target>
        <MenuButton check={check} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={checkPath(check)}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open
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
