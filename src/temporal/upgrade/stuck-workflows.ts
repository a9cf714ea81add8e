/** Lists workflows whose task keeps failing, as Temporal reports them. */
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contracts/workflows';
import type { StuckWorkflow } from '../../services/ports/gateway';
import { callTemporal } from '../temporal-call';

const QUERY = "TemporalReportedProblems IS NOT NULL AND ExecutionStatus = 'Running'";
const PROBLEMS_KEY = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST');
const ACCOUNT_KEY = defineSearchAttributeKey(SEARCH_ATTRIBUTES.account, 'KEYWORD');
const KIND_KEY = defineSearchAttributeKey(SEARCH_ATTRIBUTES.kind, 'KEYWORD');
const RESOURCE_KEY = defineSearchAttributeKey(SEARCH_ATTRIBUTES.resource, 'KEYWORD');
const CAUSE = /^cause=(?:WorkflowTaskFailedCause)?/;
const STUCK_MAX = 1_000;

/** Lists up to 1,000 stuck workflows. */
export function listStuck(client: Client, deadlineMs: number): Promise<readonly StuckWorkflow[]> {
  return callTemporal(client, deadlineMs, async () => {
    const found: StuckWorkflow[] = [];
    for await (const { workflowId, type, typedSearchAttributes } of client.workflow.list({
      query: QUERY,
    })) {
      const problems = typedSearchAttributes.get(PROBLEMS_KEY) ?? [];
      const cause = problems.find((problem) => CAUSE.test(problem)) ?? 'unknown';
      const kind = typedSearchAttributes.get(KIND_KEY);
      found.push({
        workflowId,
        workflowType: type,
        cause: cause.replace(CAUSE, ''),
        accountId: typedSearchAttributes.get(ACCOUNT_KEY) ?? null,
        // The resource of a run is its scenario.
        resourceType: kind === undefined ? null : kind === 'monitor' ? 'monitor' : 'scenario',
        resourceId: typedSearchAttributes.get(RESOURCE_KEY) ?? null,
      });
      if (found.length >= STUCK_MAX) break;
    }
    return found;
  });
}
