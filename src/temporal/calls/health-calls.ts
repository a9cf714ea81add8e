/** Asks the workflow of a monitor or scenario for its health. Waits as long as a check may take. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  HEALTH_UPDATE,
  type HealthQuestion,
  type HealthReport,
  HOLD_MS,
} from '../../contracts/dependencies';
import { monitorWorkflowId, scenarioWorkflowId } from '../../contracts/workflows';
import { isId } from '../../domain/definitions/ids';
import { callTemporal } from '../temporal-call';

const SLACK_MS = 5_000;

/** Returns the health that the workflow reports. null if there is no such workflow. Throws if there is no response. */
export function reportHealth(
  client: Client,
  id: string,
  question: HealthQuestion,
): Promise<HealthReport | null> {
  const workflowId = isId('scenario', id) ? scenarioWorkflowId(id) : monitorWorkflowId(id);
  return callTemporal(client, HOLD_MS + SLACK_MS, async () => {
    try {
      return await client.workflow
        .getHandle(workflowId)
        .executeUpdate<HealthReport, [HealthQuestion]>(HEALTH_UPDATE, { args: [question] });
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  });
}
