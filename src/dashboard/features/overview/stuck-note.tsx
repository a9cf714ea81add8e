/** Names the checks that are not running because the service itself fails. Otherwise renders nothing. */
import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ListedCheck, Overview } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useRead } from '../../shared/data/queries';

const NAMED_MAX = 5;

/** Polled: no event reports that a check is not running. */
const EVERY_MS = 120_000;

export function StuckNote({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const { data } = useRead<Overview>('/v1/overview', { refetchInterval: EVERY_MS });
  const ids = new Set(data?.stuck.map(({ id }) => id));
  const stuck = checks.filter(({ id }) => ids.has(id));
  if (stuck.length === 0) return null;
  const more = stuck.length - NAMED_MAX;
  return (
    <Alert
      variant="default"
      icon={<IconPlugConnectedX aria-hidden color="var(--kw-down)" />}
      title={
        stuck.length === 1 ? '1 check is not running' : `${stuck.length} checks are not running`
      }
    >
      {stuck.slice(0, NAMED_MAX).map((check, index) => (
        <span key={check.id}>
          {index > 0 && ', '}
          <Link to={checkPath(check)}>{check.name}</Link>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}. Keepwatch is behind; your services may be fine. Run{' '}
      <code>npm run doctor</code> on the server.
    </Alert>
  );
}
