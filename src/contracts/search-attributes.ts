/** The search attributes for operators: a map of names to types, as Temporal's CLI spells them. */
export const SEARCH_ATTRIBUTE_TYPES = {
  KeepwatchAccount: 'Keyword',
  KeepwatchKind: 'Keyword',
  KeepwatchResource: 'Keyword',
  KeepwatchState: 'Keyword',
  KeepwatchHealth: 'Keyword',
  KeepwatchTrigger: 'Keyword',
  KeepwatchRegions: 'KeywordList',
} as const;
