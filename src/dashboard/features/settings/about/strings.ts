/** The words of the section that tells about the service. */

export const TEXT = {
  installation: 'This installation',
  database: 'Database',
  dataFolder: 'Data folder',
  noDataFolder: 'None: database and Temporal run separately',
  noResponse: 'Not responding',
  embedded: 'Embedded',
} as const;
