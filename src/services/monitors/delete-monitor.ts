/** Deletes a monitor with everything that belongs to it. */
import type { Dependencies } from '../ports/dependencies';
import { monitorPort } from '../resources/resource-port';
import { findRow, removeResource } from '../resources/save-resource';

export interface DeleteMonitor {
  readonly id: string;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Nothing is sent and nothing is written any more once it has answered. */
export async function deleteMonitor(
  needs: Dependencies,
  accountId: string,
  { id, accept }: DeleteMonitor,
): Promise<void> {
  const port = monitorPort(needs);
  await removeResource(needs, port, async () => {
    const row = await findRow(port, accountId, id);
    accept(row.version);
    return row;
  });
}
