/** The menu of the signed-in user. */
import { ActionIcon, Menu, Text } from '@mantine/core';
import {
  IconBook,
  IconBuilding,
  IconKeyboard,
  IconLogout,
  IconTimeline,
  IconUserCircle,
} from '@tabler/icons-react';
import { request } from '../shared/data/api';
import { useCan, useSession } from '../shared/data/session';

export function UserMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { account, user, actor, accounts, operator } = useSession();
  const isAdmin = useCan('admin');
  const signOut = async (): Promise<void> => {
    await request('DELETE', '/v1/session').catch(() => null);
    window.location.assign('/login');
  };
  const switchTo = async (accountId: string): Promise<void> => {
    await request('PUT', '/v1/session/account', { body: { accountId } });
    // Loads the whole page again, because all of its data belongs to the previous account.
    window.location.assign('/');
  };
  const others = accounts.filter(({ id }) => id !== account.id);
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Your account">
          <IconUserCircle size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={650} c="var(--mantine-color-text)">
            {account.name}
          </Text>
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {user === null ? actor.name : `${user.email} · ${user.role}`}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        {others.length > 0 && <Menu.Label>Switch to</Menu.Label>}
        {others.map(({ id, name, role, suspended }) => (
          <Menu.Item
            key={id}
            onClick={() => void switchTo(id)}
            leftSection={<IconBuilding size={16} aria-hidden />}
          >
            {`${name} · ${role}${suspended ? ' · suspended' : ''}`}
          </Menu.Item>
        ))}
        {others.length > 0 && <Menu.Divider />}
        {operator && (
          <Menu.Item
            component="a"
            href="/operator/accounts"
            leftSection={<IconBuilding size={16} aria-hidden />}
          >
            All accounts
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} aria-hidden />}>
          API reference
        </Menu.Item>
        {isAdmin && (
          <Menu.Item
            component="a"
            href="/temporal"
            leftSection={<IconTimeline size={16} aria-hidden />}
          >
            Temporal UI
          </Menu.Item>
        )}
        <Menu.Item onClick={onHelp} leftSection={<IconKeyboard size={16} aria-hidden />}>
          Shortcuts
        </Menu.Item>
        <Menu.Item
          onClick={() => void signOut()}
          leftSection={<IconLogout size={16} aria-hidden />}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
