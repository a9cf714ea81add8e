/** Passes acknowledgements and snoozes to the workflows that send alerts. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { IncidentSilence } from '../../contracts/alerts';
import { SIGNALS, SILENCE_UPDATE } from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

/**
 * Time limit of the update. The API promises a response within 3 s, which must be enough for this update and then a
 * signal.
 */
const UPDATE_DEADLINE_MS = 1_000;
const SIGNAL_DEADLINE_MS = 1_400;

/**
 * Sends the acknowledgement or snooze to the workflow, and resolves when it is in force. If no worker responds in time,
 * sends a signal instead, which the workflow handles first when it runs again. Succeeds if there is no workflow.
 */
export async function silenceWorkflow(
  client: Client,
  workflowId: string,
  silence: IncidentSilence,
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const isDone = await callTemporal(client, UPDATE_DEADLINE_MS, () =>
    handle.executeUpdate<void, [IncidentSilence]>(SILENCE_UPDATE, { args: [silence] }),
  ).then(
    () => true,
    () => false,
  );
  if (isDone) return;
  await callTemporal(client, SIGNAL_DEADLINE_MS, async () => {
    try {
      await handle.signal(SIGNALS.silence, silence);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  });
}
