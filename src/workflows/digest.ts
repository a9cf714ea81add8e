/**
 * Alerts of one account that came too many at a time: gathered for half a minute, then sent as one
 * message to each place. It ends when nothing more has come.
 */
import { defineSignal, setHandler, sleep, startChild, uuid4 } from '@temporalio/workflow';
import {
  type AlertInput,
  type AlertTarget,
  alertWorkflowId,
  type DigestState,
  FOLD_SIGNAL,
  type FoldedAlert,
  type OwedAlert,
} from '../contracts/alerts';
import { WORKFLOW_TYPES } from '../contracts/workflows';

const GATHER_MS = 30_000;
/** More than people read; the rest is counted by the length of the list in the incidents. */
const ENTRIES_MAX = 200;

export async function digestWorkflow({ accountId, waiting }: DigestState): Promise<void> {
  const gathered: FoldedAlert[] = [...waiting];
  setHandler(defineSignal<[FoldedAlert]>(FOLD_SIGNAL), (folded) => {
    const isKnown = gathered.some(({ alert }) => alert.id === folded.alert.id);
    if (!isKnown) gathered.push(folded);
  });
  do {
    await sleep(GATHER_MS, { summary: 'gathers alerts' });
    await sendDigests(accountId, gathered.splice(0));
  } while (gathered.length > 0);
}

async function sendDigests(accountId: string, folded: readonly FoldedAlert[]): Promise<void> {
  const targets = new Map<string, AlertTarget>();
  for (const target of folded.flatMap((entry) => entry.targets)) targets.set(target.key, target);
  for (const [key, target] of targets) {
    const own = folded.filter((entry) => entry.targets.some((place) => place.key === key));
    const alert = digestOf(
      accountId,
      own.map((entry) => entry.alert),
    );
    const input: AlertInput = { v: 1, alert, places: { channels: [], targets: [target] } };
    await startChild(WORKFLOW_TYPES.alert, {
      workflowId: alertWorkflowId(alert.id),
      args: [input],
      parentClosePolicy: 'ABANDON',
      staticSummary: `digest of ${own.length}`,
    });
  }
}

function digestOf(accountId: string, alerts: readonly OwedAlert[]): OwedAlert {
  const atMs = Math.max(...alerts.map((alert) => alert.atMs));
  const [first] = alerts;
  return {
    id: uuid4(),
    kind: 'digest',
    accountId,
    incidentId: null,
    resourceType: first?.resourceType ?? 'monitor',
    resourceId: first?.resourceId ?? '',
    resourceName: `${alerts.length} alerts`,
    atMs,
    sinceMs: Math.min(...alerts.map((alert) => alert.sinceMs)),
    openedAtMs: null,
    cause: null,
    regions: [],
    assertion: null,
    entries: alerts.slice(0, ENTRIES_MAX).map(({ kind, resourceName, incidentId, sinceMs }) => ({
      kind,
      resourceName,
      incidentId,
      atMs: sinceMs,
    })),
  };
}
