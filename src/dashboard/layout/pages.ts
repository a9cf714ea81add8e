/** The pages of the navigation, in its order. */
import {
  IconActivity,
  IconBrowserCheck,
  IconCalendarTime,
  IconFlame,
  IconLayoutDashboard,
  IconListCheck,
  IconRoute,
  IconSettings,
  IconWorld,
} from '@tabler/icons-react';

export const PAGES = [
  { to: '/', label: 'Overview', Icon: IconLayoutDashboard },
  { to: '/checks', label: 'Checks', Icon: IconListCheck },
  { to: '/monitors', label: 'Monitors', Icon: IconActivity },
  { to: '/scenarios', label: 'Scenarios', Icon: IconRoute },
  { to: '/incidents', label: 'Incidents', Icon: IconFlame },
  { to: '/maintenance', label: 'Maintenance', Icon: IconCalendarTime },
  { to: '/regions', label: 'Regions', Icon: IconWorld },
  { to: '/status-pages', label: 'Status pages', Icon: IconBrowserCheck },
  { to: '/settings/channels', label: 'Settings', Icon: IconSettings },
] as const;
