/** Texts for the actions on a monitor or a scenario. */
export const ACTION_TEXT = {
  checkNow: 'Check now',
  run: 'Run now',
  edit: 'Edit',
  duplicate: 'Duplicate',
  pause: 'Pause',
  resume: 'Resume',
  maintenanceNow: 'Maintenance for 30 min',
  delete: 'Delete',
  openInTemporal: 'Open in Temporal',
  actions: 'Actions',
} as const;

interface PauseChoice {
  readonly label: string;
  /** The length in minutes. null if the pause has no end. */
  readonly minutes: number | null;
}

export const PAUSES: readonly PauseChoice[] = [
  { label: 'For 30 min', minutes: 30 },
  { label: 'For 1 h', minutes: 60 },
  { label: 'For 8 h', minutes: 480 },
  { label: 'Until I resume', minutes: null },
];
