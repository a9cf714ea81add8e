/** Texts of the table of checks and of runs. */

export const LIST_WORDS = {
  search: 'Search by name, host or key',
  type: 'Type',
  allTypes: 'All types',
  group: 'Group',
  allGroups: 'All groups',
  region: 'Region',
  allRegions: 'All regions',
  tag: 'Tag',
  allTags: 'All tags',
  clear: 'Clear filters',
  filters: 'Filters',
  noMatch: 'No results',
} as const;
