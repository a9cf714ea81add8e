/** Leads from an incident to a new post, with its checks filled in, on a status page that contains them. */
import { Button, Menu } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Incident, Page, StatusPage } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { listPostTargets } from './post-targets';
import { TEXT } from './strings';

const PAGES_PATH = '/v1/status-pages?limit=100';

interface StatusPages {
  readonly pages: readonly StatusPage[];
  readonly isAwaited: boolean;
}

/** Reads the status pages. Empty for people who cannot post. */
export function useStatusPages(): StatusPages {
  const mayPost = useCan('write');
  const { data, error } = useRead<Page<StatusPage>>(PAGES_PATH, { enabled: mayPost });
  return { pages: data?.data ?? [], isAwaited: mayPost && data === undefined && error === null };
}

interface PostUpdateProps {
  readonly incident: Incident;
  readonly pages: readonly StatusPage[];
}

/** A button if one page contains the check, and a menu if there are several. Renders nothing if there is none. */
export function PostUpdate({ incident, pages }: PostUpdateProps) {
  const targets = listPostTargets(incident, pages);
  const [only] = targets;
  if (only === undefined) return null;
  const look = { variant: 'default', leftSection: <IconSpeakerphone size={16} aria-hidden /> };
  if (targets.length === 1)
    return (
      <Button component={Link} to={only.to} search={only.search as never} {...look}>
        {TEXT.postUpdate}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...look}>{TEXT.postUpdate}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {targets.map(({ title, to, search }) => (
          <Menu.Item key={to} component={Link} to={to} search={search as never}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
