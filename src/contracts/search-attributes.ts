/** The operators' search attributes: name → type, in the spelling of Temporal's CLI. */
export const SEARCH_ATTRIBUTE_TYPES = {
  KeepwatchAccount: 'Keyword',
  KeepwatchKind: 'Keyword',
  KeepwatchResource: 'Keyword',
  KeepwatchState: 'Keyword',
  KeepwatchHealth: 'Keyword',
  KeepwatchTrigger: 'Keyword',
  KeepwatchRegions: 'KeywordList',
} as const;
