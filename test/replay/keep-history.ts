/**
 * With KEEPWATCH_RECORD_HISTORIES=1 it keeps a history for ever, under the release's version. That it replays is seen
 * when the service of the suite stops; recorded ones are never changed or deleted while such workflows may still
 * run somewhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { readVersion } from '../../src/platform/version';
import type { VirtualService } from '../workflows/virtual-service';

const FOLDER = join(__dirname, 'histories', readVersion());

/** Of the workflow's current run. */
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

/** Leaves out what names the machine of the recording: processes, hosts and paths. */
function withoutMachine(name: string, value: unknown): unknown {
  if (name === 'stackTrace') return '';
  if (name === 'identity') return 'recorder';
  return typeof value === 'string' ? value.replace(/^\d+@[\w.-]+/, 'recorder') : value;
}
