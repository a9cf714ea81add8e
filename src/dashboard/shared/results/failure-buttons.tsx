/** Buttons to the previous and the next failure. The arrow keys do the same. */
import { Button, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { withQuery } from '../data/with-query';

interface FailureButtonsProps {
  /** The list of results or runs below `/v1`, like `/v1/monitors/ID/results`. */
  readonly list: string;
  readonly region: string;
  /** The statuses of failures, separated by commas. */
  readonly statuses: string;
  /** The slot of the check that is open on the page. */
  readonly slot: string;
  readonly buildPagePath: (id: string) => string;
}

export function FailureButtons({
  list,
  region,
  statuses,
  slot,
  buildPagePath,
}: FailureButtonsProps) {
  const navigate = useNavigate();
  const query = { region, status: statuses, limit: 1 };
  const from = new Date(Date.parse(slot) + 1).toISOString();
  const [before] = useFailures(withQuery(list, { ...query, to: slot }));
  const [after] = useFailures(withQuery(list, { ...query, from, order: 'oldest' }));
  const open = (to: Failure | undefined): void => {
    if (to !== undefined) void navigate({ to: buildPagePath(to.id) });
  };
  useHotkeys([
    ['ArrowLeft', () => open(before)],
    ['ArrowRight', () => open(after)],
  ]);
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        disabled={before === undefined}
        onClick={() => open(before)}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
      >
        Previous failure
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={after === undefined}
        onClick={() => open(after)}
        rightSection={<IconChevronRight size={14} aria-hidden />}
      >
        Next failure
      </Button>
    </Group>
  );
}

interface Failure {
  readonly id: string;
}

/** Returns the failures. Empty while they load, because `useRead` returns the data of the previous path until then. */
function useFailures(path: string): readonly Failure[] {
  const { data, isPlaceholderData } = useRead<Page<Failure>>(path);
  return isPlaceholderData ? [] : (data?.data ?? []);
}
