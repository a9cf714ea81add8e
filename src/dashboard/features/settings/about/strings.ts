/** The words of the section that tells about the service. */

export const TEXT = {
  installation: 'This installation',
  database: 'Database',
  dataFolder: 'Data folder',
  noDataFolder: 'None here: database and Temporal run for themselves',
  noAnswer: 'Does not answer at the moment',
  embedded: 'Embedded',
} as const;
