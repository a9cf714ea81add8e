/**
 * With KEEPWATCH_RECORD_HISTORIES=1, this module stores a history permanently, under the version of the release. The
 * history is replayed when the service of the suite stops. Recorded histories are never changed or deleted while such
 * workflows may still run somewhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { readVersion } from '../../src/platform/version';
import type { VirtualService } from '../workflows/virtual-service';

const FOLDER = join(__dirname, 'histories', readVersion());

/** Stores the history of the workflow's current run, if recording is on. */
export async function keepHistory(
  { client }: Pick<VirtualService, 'client'>,
  name: string,
  workflowId: string,
): Promise<void> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const events: unknown = JSON.parse(historyToJSON(history), withoutMachine);
  if (process.env['KEEPWATCH_RECORD_HISTORIES'] !== '1') return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(events)}\n`);
}

/** Removes everything that identifies the recording machine: processes, hosts and paths. */
function withoutMachine(name: string, value: unknown): unknown {
  if (name === 'stackTrace') return '';
  if (name === 'identity') return 'recorder';
  return typeof value === 'string' ? value.replace(/^\d+@[\w.-]+/, 'recorder') : value;
}
