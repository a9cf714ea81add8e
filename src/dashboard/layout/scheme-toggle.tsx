/** Switches between the system, light and dark theme. The browser remembers the choice. */
import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const SCHEMES = {
  auto: { name: 'system', next: 'light', Icon: IconDeviceDesktop },
  light: { name: 'light', next: 'dark', Icon: IconSun },
  dark: { name: 'dark', next: 'auto', Icon: IconMoon },
} as const satisfies Record<MantineColorScheme, object>;

export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, next, Icon } = SCHEMES[colorScheme];
  const label = `Theme: ${name}. Switch to ${SCHEMES[next].name}`;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={() => setColorScheme(next)}
      aria-label={label}
      title={label}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
