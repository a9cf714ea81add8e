/** Lists what uses an object, with links. Users see the list before they change or delete the object. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedCheck, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { withQuery } from '../../shared/data/with-query';

export interface User {
  readonly id: string;
  readonly name: string;
}

const SHOWN_MAX = 10;

interface UsedByProps {
  readonly users: readonly User[];
  /** The users with their number, like `2 checks`. Absent if `users` may not be all of them. */
  readonly count?: string;
  /** Shown if nothing uses the object. */
  readonly none?: string;
}

export function UsedBy({ users, count, none = 'Not used' }: UsedByProps) {
  if (users.length === 0)
    return (
      <Text size="sm" mt={4} c="dimmed">
        {none}
      </Text>
    );
  return (
    <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
      Used by {count !== undefined && `${count}: `}
      {users.slice(0, SHOWN_MAX).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={buildPath(id)} inherit>
            {name}
          </Anchor>
        </span>
      ))}
      {users.length > SHOWN_MAX &&
        (count === undefined ? ' and more' : ` and ${users.length - SHOWN_MAX} more`)}
    </Text>
  );
}

interface UsedByChecksProps {
  /** The filter that selects the checks that use the object. */
  readonly filter: Readonly<Partial<Record<'profile' | 'environment' | 'hours', string>>>;
  /** Objects other than checks that use the object. */
  readonly others?: readonly User[];
}

export function UsedByChecks({ filter, others = [] }: UsedByChecksProps) {
  const query = { ...filter, limit: SHOWN_MAX + 1 };
  const { data } = useRead<Page<ListedCheck>>(withQuery('/v1/checks', query));
  return data === undefined ? null : <UsedBy users={[...data.data, ...others]} />;
}

const FOLDERS: Readonly<Record<string, string>> = {
  mon: '/monitors/',
  scn: '/scenarios/',
  stp: '/status-pages/',
};

/**
 * Returns the path of the page of the object with this id. Channels and policies have no page of their own, so their
 * list is opened.
 */
function buildPath(id: string): string {
  if (id.startsWith('chn_')) return '/alerting/channels';
  if (id.startsWith('pol_')) return '/alerting/policies';
  return `${FOLDERS[id.slice(0, 3)] ?? '/'}${id}`;
}
