/** The words that only the list and the pages of monitors show. */

export const LIST_TEXT = {
  title: 'Monitors',
  add: 'New monitor',
  addFirst: 'Create the first monitor',
  none: 'No monitors yet',
  whyNone: 'A monitor checks one address again and again, from one or more regions.',
  noMatch: 'Nothing matches',
  whyNoMatch: 'No monitor matches all of these filters.',
  clear: 'Clear the filters',
  search: 'Search by name, host or key',
  all: 'All',
  lastResponse: 'Last response',
  selectAll: 'Select all on this page',
  actions: 'Actions',
} as const;

export const ACTION_TEXT = {
  open: 'Open',
  edit: 'Edit',
  duplicate: 'Duplicate',
  checkNow: 'Check now',
  pause: 'Pause',
  pauseUntilResumed: 'Until resumed',
  resume: 'Resume',
  maintenanceNow: 'Maintenance for 30 min',
  delete: 'Delete',
  openInTemporal: 'Open in Temporal',
} as const;

export interface PauseChoice {
  readonly label: string;
  /** null: until somebody resumes it. */
  readonly minutes: number | null;
}

export const PAUSES: readonly PauseChoice[] = [
  { label: 'For 30 min', minutes: 30 },
  { label: 'For 1 h', minutes: 60 },
  { label: 'For 8 h', minutes: 480 },
  { label: ACTION_TEXT.pauseUntilResumed, minutes: null },
];
