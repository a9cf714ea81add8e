/** The button that pauses or resumes a monitor or scenario, and the line about a pause. */
import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Monitor } from '../data/api-types';
import type { ListKind } from '../list/list-filters';
import { RelativeTime } from '../text/time';
import type { Pausable } from './pause-body';
import { PauseItems } from './pause-items';
import { type Named, useResourceActions } from './use-resource-actions';
import { ACTION_TEXT } from './words';

interface PauseButtonProps {
  readonly kind: ListKind;
  readonly resource: Named & Pausable;
}

export function PauseButton({ kind, resource }: PauseButtonProps) {
  const { pause, resume } = useResourceActions(kind);
  if (resource.state === 'paused') {
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={() => resume(resource)}
      >
        {ACTION_TEXT.resume}
      </Button>
    );
  }
  return (
    <Menu withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {ACTION_TEXT.pause}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <PauseItems onPause={(minutes) => pause(resource, minutes)} />
      </Menu.Dropdown>
    </Menu>
  );
}

type Paused = Pick<Monitor, 'state' | 'pausedAt' | 'pausedUntil' | 'pauseReason'>;

export function PausedSince({ of }: { readonly of: Paused }) {
  const { state, pausedAt, pausedUntil, pauseReason } = of;
  if (state !== 'paused') return null;
  return (
    <Text size="sm">
      Paused <RelativeTime at={pausedAt} />,{' '}
      {pausedUntil === null ? (
        'until someone resumes it'
      ) : (
        <>
          resumes <RelativeTime at={pausedUntil} />
        </>
      )}
      {pauseReason === null ? '' : `: ${pauseReason}`}
    </Text>
  );
}
