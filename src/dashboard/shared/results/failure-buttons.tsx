/**
 * Buttons to the previous and the next run or result of a region. If there are other failures, a menu leads to the
 * previous and the next one, and so do the arrow keys.
 */
import { Button, Group, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { withQuery } from '../data/with-query';
import classes from './results.module.css';

interface FailureButtonsProps {
  /** The list of results or runs below `/v1`, like `/v1/monitors/ID/results`. */
  readonly list: string;
  /** What one entry of the list is called on the buttons. */
  readonly noun?: 'result' | 'run';
  readonly region: string;
  /** The statuses of failures, separated by commas. */
  readonly statuses: string;
  /** The slot of the check that is open on the page. */
  readonly slot: string;
  readonly buildPagePath: (id: string) => string;
}

export function FailureButtons(props: FailureButtonsProps) {
  const { noun = 'result', statuses, buildPagePath } = props;
  const navigate = useNavigate();
  const one = useNeighbours(props);
  const failure = useNeighbours(props, statuses);
  const open = (to: Entry | undefined): void => {
    if (to !== undefined) void navigate({ to: buildPagePath(to.id) });
  };
  useHotkeys([
    ['ArrowLeft', () => open(failure.before)],
    ['ArrowRight', () => open(failure.after)],
  ]);
  const hasFailures = failure.before !== undefined || failure.after !== undefined;
  return (
    <Group gap={4} data-touch>
      <Menu position="bottom-start" withinPortal={false}>
        <Menu.Target>
          {/* The hidden button keeps its height, so that nothing below moves when the failures are read. */}
          <Button
            variant="default"
            size="xs"
            px="xs"
            className={classes['failures'] ?? ''}
            data-hidden={!hasFailures || undefined}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Failures
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={failure.before === undefined}
            onClick={() => open(failure.before)}
            leftSection={<IconChevronLeft size={14} aria-hidden />}
          >
            Previous failure
          </Menu.Item>
          <Menu.Item
            disabled={failure.after === undefined}
            onClick={() => open(failure.after)}
            leftSection={<IconChevronRight size={14} aria-hidden />}
          >
            Next failure
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        size="xs"
        px="xs"
        disabled={one.before === undefined}
        onClick={() => open(one.before)}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
      >
        Previous {noun}
      </Button>
      <Button
        variant="default"
        size="xs"
        px="xs"
        disabled={one.after === undefined}
        className={classes['next'] ?? ''}
        onClick={() => open(one.after)}
        rightSection={<IconChevronRight size={14} aria-hidden />}
      >
        Next {noun}
      </Button>
    </Group>
  );
}

interface Entry {
  readonly id: string;
}

interface Neighbours {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Reads the entries of the region before and after the open one, of all statuses or of the given ones. */
function useNeighbours({ list, region, slot }: FailureButtonsProps, status?: string): Neighbours {
  const query = { region, status, limit: 1 };
  const from = new Date(Date.parse(slot) + 1).toISOString();
  const [before] = useEntries(withQuery(list, { ...query, to: slot }));
  const [after] = useEntries(withQuery(list, { ...query, from, order: 'oldest' }));
  return { before, after };
}

/** Returns the entries. Empty while they load, because `useRead` returns the data of the previous path until then. */
function useEntries(path: string): readonly Entry[] {
  const { data, isPlaceholderData } = useRead<Page<Entry>>(path);
  return isPlaceholderData ? [] : (data?.data ?? []);
}
