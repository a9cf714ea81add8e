/** The items of a pause menu, one for each duration. */
import { Menu } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { askMinutes } from './ask-minutes';
import { ACTION_TEXT, PAUSES } from './words';

export function PauseItems({ onPause }: { readonly onPause: (minutes: number | null) => void }) {
  return (
    <>
      <Menu.Label>{ACTION_TEXT.pause}</Menu.Label>
      {PAUSES.map(({ label, minutes }) => (
        <Menu.Item
          key={label}
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => onPause(minutes)}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Item
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={() => askMinutes(onPause)}
      >
        Custom …
      </Menu.Item>
    </>
  );
}
