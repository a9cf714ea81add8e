/** The menu item that leads to an object's workflow. Renders nothing if the person may not see the Temporal UI. */
import { Menu } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useCan } from '../data/session';
import { ACTION_TEXT } from './words';

export function TemporalItem({ url }: { readonly url: string | null }) {
  const isAdmin = useCan('admin');
  if (url === null || !isAdmin) return null;
  return (
    <Menu.Item
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      leftSection={<IconExternalLink size={16} aria-hidden />}
    >
      {ACTION_TEXT.openInTemporal}
    </Menu.Item>
  );
}
