/**
 * Tests alerts and digests in any order. Recipients accept, refuse and defer. Senders and orchestrators are lost.
 * Floods are folded while a digest collects or ends. In between, incidents are acknowledged and workflows are
 * cancelled. Each alert reaches each recipient once, or its record contains the reason why not.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import fc from 'fast-check';
import {
  type AlertMessage,
  type AlertTarget,
  alertWorkflowId,
  type DeliveryOutcome,
} from '../../../src/contracts/alerts';
import { digestWorkflowId } from '../../../src/contracts/digests';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../../../src/contracts/workflows';
import { buildAlert, webhookTarget } from '../../support/alert-message';
import { endOf, ORDERS } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const RESPONSES: Record<'sent' | 'later' | 'refused', DeliveryOutcome> = {
  sent: { kind: 'sent', detail: 'taken' },
  later: { kind: 'later', detail: 'busy', afterMs: 200 },
  refused: { kind: 'refused', detail: '410' },
};

const acts = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('alert' as const),
        of: fc.constantFrom('failure' as const, 'reminder' as const, 'flapping' as const),
      }),
    },
    fc.record({ kind: fc.constant('admit' as const), isAdmitted: fc.boolean() }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('recipient' as const),
        index: fc.nat(1),
        response: fc.constantFrom('sent' as const, 'later' as const, 'refused' as const),
      }),
    },
    fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(9) }),
    fc.constant({ kind: 'cancel digest' as const }),
    fc.constant({ kind: 'acknowledge' as const }),
    fc.constant({ kind: 'lose sender' as const }),
    fc.constant({ kind: 'lose orchestrator' as const }),
    fc.record({ kind: fc.constant('database' as const), isAway: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(10, 100, 1_000) }),
  ),
  { minLength: 6, maxLength: 20 },
);
type Act = typeof acts extends fc.Arbitrary<(infer One)[]> ? One : never;

let service: VirtualService;
let count = 0;

beforeAll(async () => {
  service = await startVirtualService([]);
});
afterAll(() => service.stop());

/** Simulates one account with two recipients, and records everything that happens to its alerts. */
class Played {
  readonly alerts: AlertMessage[] = [];
  readonly cancelled = new Set<string>();
  /** Alerts that a recipient accepted, once for each time. The format is `<id> <key>`. */
  readonly taken: string[] = [];
  /** Alerts that a recipient accepted from a sender that died before it reported this. */
  readonly unreported: string[] = [];
  readonly responses = new Map<string, keyof typeof RESPONSES>();
  senderLosses = 0;

  constructor(readonly accountId: string) {
    for (const { key } of this.targets) service.ledger.receivers.set(key, () => this.respond(key));
  }

  get targets(): readonly AlertTarget[] {
    return [0, 1].map((index) => webhookTarget(`${this.accountId} recipient ${index}`));
  }

  private respond(key: string): DeliveryOutcome {
    const response = this.responses.get(key) ?? 'sent';
    const id = service.ledger.tries.at(-1)?.alert.id ?? '';
    this.senderLosses -= 1;
    if (this.senderLosses >= 0) {
      if (response === 'sent') this.unreported.push(`${id} ${key}`);
      throw new Error('the sender was lost');
    }
    if (response === 'sent') this.taken.push(`${id} ${key}`);
    return RESPONSES[response];
  }
}

async function startAlert(played: Played, kind: AlertMessage['kind']): Promise<void> {
  const { accountId, alerts, targets } = played;
  const name = `${accountId}-${alerts.length}`;
  const atMs = service.nowMs();
  const alert: AlertMessage = buildAlert({
    id: name,
    kind,
    accountId,
    incidentId: `inc_${name}`,
    resourceName: name,
    atMs,
    openedAtMs: null,
  });
  alerts.push(alert);
  await service.client.workflow.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert, recipients: { channels: [], targets } }],
  });
}

/** Cancels the workflow. Does nothing if the workflow has ended or never existed. */
async function cancel(workflowId: string): Promise<void> {
  try {
    await service.client.workflow.getHandle(workflowId).cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function act(played: Played, given: Act): Promise<void> {
  const { ledger } = service;
  const { alerts, targets, accountId } = played;
  if (given.kind === 'alert') await startAlert(played, given.of);
  else if (given.kind === 'admit') ledger.admits = given.isAdmitted ? Number.POSITIVE_INFINITY : 0;
  else if (given.kind === 'recipient')
    played.responses.set(targets[given.index]?.key ?? '', given.response);
  else if (given.kind === 'cancel') {
    const id = alerts[given.index % Math.max(1, alerts.length)]?.id;
    if (id === undefined) return;
    played.cancelled.add(id);
    await cancel(alertWorkflowId(id));
  } else if (given.kind === 'cancel digest') await cancel(digestWorkflowId(accountId));
  else if (given.kind === 'acknowledge') ledger.quiet.add(alerts.at(-1)?.incidentId ?? '');
  else if (given.kind === 'lose sender') played.senderLosses = 1;
  else if (given.kind === 'lose orchestrator') await service.replaceOrchestrator();
  else if (given.kind === 'database') ledger.isAway = given.isAway;
  else await service.pass(given.ms);
}

const recordsAt = (key: string) =>
  [...service.ledger.deliveries.values()].filter(({ target }) => target.key === key);
const timesIn = <Item>(items: readonly Item[], item: Item) =>
  items.filter((one) => one === item).length;

async function expectAllEnded({ accountId, alerts, cancelled, targets }: Played): Promise<void> {
  const ids = alerts.map(({ id }) => id);
  for (const id of ids) {
    const status = await endOf(service, alertWorkflowId(id));
    if (status !== 'COMPLETED') expect([status, cancelled.has(id)]).toEqual(['CANCELLED', true]);
  }
  const digestId = digestWorkflowId(accountId);
  const wasFolded = ids.some((id) => !service.ledger.deliveries.has(`${id} ${targets[0]?.key}`));
  if (!wasFolded) return;
  // Cancels the digest, because a cancelled digest is sent at once.
  await cancel(digestId);
  await endOf(service, digestId);
}

/**
 * Expects that at most one digest contains the alert. If the incident was acknowledged before the digest was sent, the
 * digest may leave the alert out.
 */
async function expectFoldedOnce(alert: AlertMessage, key: string): Promise<void> {
  const digests = () =>
    recordsAt(key).filter(({ alert: { entries } }) =>
      entries.some(({ incidentId }) => incidentId === alert.incidentId),
    );
  const isQuiet = alert.kind === 'reminder' && service.ledger.quiet.has(alert.incidentId ?? '');
  await service.until('the end of its digest', () =>
    isQuiet ? true : digests().some(({ status }) => status !== 'pending'),
  );
  expect(digests().length).toBeLessThanOrEqual(1);
}

/** Expects that the record of the delivery matches what the recipient got. */
function expectTruth(played: Played, id: string, key: string): void {
  const record = service.ledger.deliveries.get(`${id} ${key}`);
  const place = `${id} ${key}`;
  const taken = timesIn(played.taken, place);
  expect({ place, status: record?.status }).toEqual({
    place,
    status: taken === 1 ? 'sent' : 'failed',
  });
  expect(taken).toBeLessThanOrEqual(1);
}

test('each alert reaches each recipient once, alone or in a digest, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (given) => {
      count += 1;
      const { ledger } = service;
      ledger.admits = Number.POSITIVE_INFINITY;
      const played = new Played(`acc_order_${count}`);
      for (const one of given) await act(played, one);
      ledger.isAway = false;
      for (const [key, response] of played.responses)
        if (response === 'later') played.responses.delete(key);
      await expectAllEnded(played);
      const folded = new Set(ledger.folded.map(({ id }) => id));
      for (const alert of played.alerts)
        for (const { key } of played.targets) {
          if (folded.has(alert.id)) await expectFoldedOnce(alert, key);
          else expectTruth(played, alert.id, key);
        }
      for (const { key } of played.targets)
        for (const { alert } of recordsAt(key)) expectTruth(played, alert.id, key);
    }),
    ORDERS,
  );
});
