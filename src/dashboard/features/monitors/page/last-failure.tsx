/**
 * Shows when the job of a heartbeat last failed, and what the job reported. The line keeps its height while the data is
 * read.
 */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../../shared/data/api';
import type { Page, Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { RelativeTime } from '../../../shared/text/time';

export function LastFailure({ monitorId }: { readonly monitorId: string }) {
  const query = { status: 'down', limit: 1 };
  const { data } = useRead<Page<Result>>(withQuery(`/v1/monitors/${monitorId}/results`, query));
  const [failed] = data?.data ?? [];
  const isRead = data !== undefined && (failed === undefined || failed.monitorId === monitorId);
  if (!isRead || failed === undefined)
    return (
      <Text size="sm" mt={4} c="dimmed">
        {isRead ? 'No failure is stored.' : '\u00a0'}
      </Text>
    );
  const message = failed.failure?.message ?? '';
  return (
    <Text size="sm" mt={4} lineClamp={2} title={message}>
      <Anchor
        component={Link}
        to={`/monitors/${monitorId}/results/${encodeURIComponent(failed.id)}`}
        inherit
      >
        Last failure
      </Anchor>{' '}
      <RelativeTime at={failed.startedAt ?? failed.slot} />
      {message !== '' && `: ${message}`}
    </Text>
  );
}
