/** The words of the lists of monitors and scenarios. */

export const LIST_WORDS = {
  search: 'Search by name, host or key',
  status: 'Status',
  anyStatus: 'Any status',
  group: 'Group',
  allGroups: 'All groups',
  region: 'Region',
  allRegions: 'All regions',
  tag: 'Tag',
  clear: 'Clear filters',
  noMatch: 'No results',
} as const;
