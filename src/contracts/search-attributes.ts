/** The operators' search attributes: name → type, as Temporal's CLI spells it. */
export const SEARCH_ATTRIBUTE_TYPES = {
  KeepwatchAccount: 'Keyword',
  KeepwatchKind: 'Keyword',
  KeepwatchResource: 'Keyword',
  KeepwatchState: 'Keyword',
  KeepwatchHealth: 'Keyword',
  KeepwatchTrigger: 'Keyword',
  KeepwatchRegions: 'KeywordList',
} as const;
