/** How a status page may look. */
export const STATUS_PAGE_THEMES = ['auto', 'light', 'dark'] as const;

export type StatusPageTheme = (typeof STATUS_PAGE_THEMES)[number];
