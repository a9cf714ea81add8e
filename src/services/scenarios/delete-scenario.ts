/** Deletes a scenario with everything that belongs to it. */
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findRow, removeResource } from '../resources/save-resource';

export interface DeleteScenario {
  readonly id: string;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Nothing is sent and nothing is written any more once it has answered. */
export async function deleteScenario(
  needs: Dependencies,
  accountId: string,
  { id, accept }: DeleteScenario,
): Promise<void> {
  const port = scenarioPort(needs);
  await removeResource(needs, port, async () => {
    const row = await findRow(port, accountId, id);
    accept(row.version);
    return row;
  });
}
