/** The search attributes that a workflow starts with; the workflow itself keeps them up to date. */
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { ResourceKind } from '../contracts/definition';
import { type ScheduleConfig, SEARCH_ATTRIBUTES } from '../contracts/workflows';

/**
 * Returns the values that the workflow would publish itself. Setting them at the start avoids an event in the
 * workflow's history. They are not encrypted, so they must not contain people's text.
 */
export function buildInitialSearchAttributes(
  kind: ResourceKind,
  { accountId, id, paused, regions }: ScheduleConfig,
): SearchAttributePair[] {
  const keyword = (name: string, value: string): SearchAttributePair => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  });
  return [
    keyword(SEARCH_ATTRIBUTES.account, accountId),
    keyword(SEARCH_ATTRIBUTES.kind, kind),
    keyword(SEARCH_ATTRIBUTES.resource, id),
    keyword(SEARCH_ATTRIBUTES.state, paused ? 'paused' : 'active'),
    keyword(SEARCH_ATTRIBUTES.health, 'pending'),
    {
      key: defineSearchAttributeKey(SEARCH_ATTRIBUTES.regions, 'KEYWORD_LIST'),
      value: [...regions],
    },
  ];
}
