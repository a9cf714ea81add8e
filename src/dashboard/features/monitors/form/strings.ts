/** Texts of the forms of monitors. */

export const MONITOR_WRITERS = {
  text: 'Editors, admins and owners can change monitors.',
  list: { to: '/monitors', label: 'Monitors' },
} as const;
