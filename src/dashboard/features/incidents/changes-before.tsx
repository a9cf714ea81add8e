/**
 * The changes before an incident: edits and labelled runs in the hour before, and how the response differs from the
 * last passing result.
 */
import { Paper, Stack, Text } from '@mantine/core';
import { Marks } from '../../shared/charts/mark-list';
import { useMarks } from '../../shared/charts/use-marks';
import type { Incident, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useMayRead } from '../../shared/data/session';
import { LastPassing } from '../../shared/results/last-passing';
import { Heading } from '../../shared/ui/heading';

const BEFORE_MS = 3_600_000;

export function ChangesBefore({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId, openedAt, firstResultId } = incident;
  const openedMs = Date.parse(openedAt);
  const from = new Date(openedMs - BEFORE_MS).toISOString();
  const marks = useMarks({
    kind: resourceType === 'scenario' ? 'scenarios' : 'monitors',
    id: resourceId,
    from,
    to: openedAt,
  }).filter(
    ({ kind, atMs }) => kind !== 'incident' && atMs >= openedMs - BEFORE_MS && atMs <= openedMs,
  );
  // Only admins may read the edits.
  const isAdmin = useMayRead('admin');
  const result = useFirstResult(resourceType === 'monitor' ? resourceId : null, firstResultId);
  // Heartbeats have no response to compare.
  const hasResponse = result !== undefined && result.request !== null;
  if (marks.length === 0 && !hasResponse) return null;
  return (
    <Paper component="section" withBorder p="md">
      <Stack gap="xs">
        <Heading>What changed</Heading>
        {marks.length > 0 && <Marks marks={marks} />}
        {marks.length === 0 && isAdmin && (
          <Text size="sm" c="dimmed">
            No edits in the hour before.
          </Text>
        )}
        {hasResponse && <LastPassing result={result} />}
      </Stack>
    </Paper>
  );
}

function useFirstResult(monitorId: string | null, resultId: string | null): Result | undefined {
  const path = `/v1/monitors/${monitorId}/results/${encodeURIComponent(resultId ?? '')}`;
  const { data } = useRead<Result>(path, { enabled: monitorId !== null && resultId !== null });
  return data?.id === resultId ? data : undefined;
}
