/** The entries of the navigation, and pages that only the palette lists. */
import {
  IconActivity,
  IconBell,
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
  { to: '/incidents', label: 'Incidents', Icon: IconFlame },
  { to: '/alerting/channels', label: 'Alerting', Icon: IconBell },
  { to: '/maintenance', label: 'Maintenance', Icon: IconCalendarTime },
  { to: '/status-pages', label: 'Status pages', Icon: IconBrowserCheck },
  { to: '/regions', label: 'Regions', Icon: IconWorld },
  { to: '/settings/account', label: 'Settings', Icon: IconSettings },
] as const;

/** The path of the wallboard, which is the only page without the usual frame. */
export const WALLBOARD = '/wallboard';

/** The entries of the bottom bar on phones. */
export const PHONE_PAGES = [PAGES[0], PAGES[2], PAGES[1]] as const;

/** The pages that show a part of the table of checks. */
export const CHECK_PAGES = [
  { to: '/monitors', label: 'Monitors', Icon: IconActivity },
  { to: '/scenarios', label: 'Scenarios', Icon: IconRoute },
] as const;
