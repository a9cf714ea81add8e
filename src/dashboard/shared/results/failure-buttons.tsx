/**
 * Buttons to the previous and the next run or result of a region, and to the previous and the next failure. The arrow
 * keys also lead to the failures. On a phone, the buttons of a pair are arrows with one word between them.
 */
import { Button, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
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
    <Group gap="xs">
      <Pair noun={noun} to={one} onOpen={open} />
      {/* The hidden buttons keep their height, so that nothing below moves when the failures are read. */}
      <Pair noun="failure" to={failure} onOpen={open} isHidden={!hasFailures} />
    </Group>
  );
}

interface PairProps {
  readonly noun: 'result' | 'run' | 'failure';
  readonly to: Neighbours;
  readonly onOpen: (to: Entry | undefined) => void;
  readonly isHidden?: boolean;
}

function Pair({ noun, to: { before, after }, onOpen, isHidden = false }: PairProps) {
  const props = { variant: 'default', size: 'xs', px: 'xs' } as const;
  return (
    <Group gap={4} className={classes['pair'] ?? ''} data-hidden={isHidden || undefined}>
      <Button {...props} disabled={before === undefined} onClick={() => onOpen(before)}>
        <IconChevronLeft size={14} aria-hidden />
        <span className={classes['word']}>Previous {noun}</span>
      </Button>
      <span className={classes['noun']} aria-hidden>
        {noun}
      </span>
      <Button {...props} disabled={after === undefined} onClick={() => onOpen(after)}>
        <span className={classes['word']}>Next {noun}</span>
        <IconChevronRight size={14} aria-hidden />
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
