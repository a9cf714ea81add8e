/**
 * Tests that every workflow that works for an account has the account as its fairness key, and that its activities
 * inherit the key. If workers have a backlog, accounts take turns.
 *
 * Covers:
 * - temporal/calls/notice-calls
 * - temporal/calls/rollout-calls
 * - temporal/calls/run-calls
 */
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { beginEscalation } from '../../src/domain/alerting/escalation-course';
import {
  endEscalation,
  extendEscalation,
  foldAlerts,
  restoreAlert,
  restoreEscalation,
  sendAlert,
} from '../../src/temporal/calls/alert-calls';
import { startNotice } from '../../src/temporal/calls/notice-calls';
import { wakeRollouts } from '../../src/temporal/calls/rollout-calls';
import { testMonitor } from '../../src/temporal/calls/run-calls';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { buildAlert } from '../support/alert-message';
import { heartbeatConfig, monitorConfig, requestOf, scenarioConfig } from '../support/outcomes';

const accountId = 'acc_fair';
const alert = buildAlert({ accountId });
const recipients = { channels: [], targets: [] };
const input = { v: 1, alert, recipients } as const;
const plan = { policyName: 'p', steps: [], quietHours: null, lastResort: null };
const record = { accountId, incidentId: 'inc_1', state: beginEscalation(alert, plan, 0) };
const check = { requestId: 'r', requestedAtMs: 1 };

type Call = (client: Client) => Promise<unknown>;
const viaGateway =
  (use: (gateway: ReturnType<typeof createWorkflowGateway>) => Promise<unknown>): Call =>
  (client) =>
    use(createWorkflowGateway(client));
const monitor = monitorConfig('mon_1', { accountId });
const scenario = scenarioConfig('scn_1', { accountId });

const CALLS: readonly (readonly [string, Call])[] = [
  ['a monitor', viaGateway((gateway) => gateway.configureMonitor(monitor))],
  [
    'a heartbeat',
    viaGateway((gateway) => gateway.configureMonitor(heartbeatConfig('mon_2', {}, { accountId }))),
  ],
  ['a check on request', viaGateway((gateway) => gateway.checkMonitorNow(monitor, check))],
  ['a scenario', viaGateway((gateway) => gateway.configureScenario(scenario))],
  ['a run', viaGateway((gateway) => gateway.runScenarioNow(scenario, requestOf([], 1)))],
  ['a test', (client) => testMonitor(client, monitor, 1_000)],
  ['an alert', (client) => sendAlert(client, input, 1_000)],
  ['a resumed alert', (client) => restoreAlert(client, input)],
  ['an event', (client) => restoreAlert(client, { ...input, alert: { ...alert, kind: 'event' } })],
  ['a digest', (client) => foldAlerts(client, [{ alert, targets: [] }])],
  ['a resumed escalation', (client) => restoreEscalation(client, record)],
  ['an extended escalation', (client) => extendEscalation(client, record, plan)],
  ['an ended escalation', (client) => endEscalation(client, record, alert)],
  ['a notice', (client) => startNotice(client, { id: 'ntc_1', accountId })],
  ['rollouts', (client) => wakeRollouts(client, accountId)],
];

test.each(CALLS)(
  'the workflow of %s takes turns with workflows of other accounts',
  async (_name, call) => {
    const keys: unknown[] = [];
    const start = async (_type: string, { priority }: WorkflowStartOptions): Promise<void> => {
      keys.push(priority?.fairnessKey);
    };
    const withDeadline = (_atMs: number, work: () => Promise<unknown>): Promise<unknown> => work();
    const client = { workflow: { start, execute: start, signalWithStart: start }, withDeadline };
    await call(asClient(client));
    expect(keys).toEqual([accountId]);
  },
);

/** Overrides the type, because the calls use only the methods that the fake has. */
function asClient(client: unknown): Client;
function asClient(client: unknown): unknown {
  return client;
}
