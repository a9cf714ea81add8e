/** Switches between the light and the dark page; the browser remembers. */
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'light' ? 'dark' : 'light';
  const Icon = scheme === 'light' ? IconMoon : IconSun;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={() => setColorScheme(other)}
      aria-label={`Show the ${other} page`}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
