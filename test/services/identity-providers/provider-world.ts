/**
 * Simulates checks that sign in at identity providers. The real pass of the housekeeping uses stores and a Temporal in
 * memory. Its process may die before or after each write.
 */
import type { SignInFailure } from '../../../src/contracts/alerting/identity-providers';
import type { AlertMessage } from '../../../src/contracts/alerts';
import type { EscalationState, EscalationStep } from '../../../src/contracts/escalation';
import type { SignInProblem, StepOutcome } from '../../../src/contracts/outcome';
import type { Health } from '../../../src/contracts/records';
import { notifyDue } from '../../../src/domain/alerting/escalation-course';
import { withFurtherSteps } from '../../../src/domain/alerting/further-steps';
import { createUnmeasuredOutcome } from '../../../src/domain/health/unmeasured';
import type { AlertChannel } from '../../../src/models/alerting/alert-channels';
import type { AlertPolicy } from '../../../src/models/alerting/alert-policies';
import {
  type ProviderRecord,
  signInFailureId,
} from '../../../src/models/alerting/identity-providers';
import type { IncidentChange } from '../../../src/models/alerting/save-incident';
import type { Monitor } from '../../../src/models/resources/monitors';
import type { StoredStatus } from '../../../src/models/results/statuses';
import { createTextSealer } from '../../../src/platform/sealing';
import { updateProviders } from '../../../src/services/identity-providers/update-providers';
import {
  buildIdentityProviderId,
  listCheckFailures,
} from '../../../src/services/results/sign-in-failures';
import { FIRST_SLOT_MS, monitorRecord, monitorRow, newId } from '../../models/example-records';

export const MINUTE_MS = 60_000;
export const TOKEN_URL = 'https://auth.example.com/oauth/token';

/** The result of a check in a slot. `lost` means that no probe ran the check. */
type Found = SignInProblem | 'up' | 'down' | 'lost';

export interface SentAlert {
  readonly kind: AlertMessage['kind'];
  readonly to: string;
  readonly incidentId: string;
}

/** The process dies before or after the write with this number. */
export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

export class ProviderWorld {
  nowMs = FIRST_SLOT_MS;
  readonly sent: SentAlert[] = [];
  readonly alerts: AlertMessage[] = [];
  readonly incidents = new Map<string, IncidentChange>();
  readonly failures = new Map<string, SignInFailure & { readonly providerId: string }>();
  readonly monitors = new Map<string, Monitor>();
  readonly channels: AlertChannel[] = [];
  readonly policies: AlertPolicy[] = [];
  /** The notices that the operator got. */
  readonly notices: Readonly<Record<string, string>>[] = [];
  writes = 0;
  deaths = 0;
  private readonly statuses = new Map<string, StoredStatus>();
  private readonly records = new Map<string, ProviderRecord>();
  private readonly escalations = new Map<string, EscalationState>();

  private readonly temporal = fakeEscalations({
    sent: this.sent,
    alerts: this.alerts,
    escalations: this.escalations,
    nowMs: () => this.nowMs,
    write: (act) => this.write(act),
  });

  constructor(private readonly death: Death | null = null) {}

  /** Adds a monitor that notifies one channel. Creates the channel if it does not exist. */
  addCheck(name: string, changes: Partial<Monitor> & { readonly notifies?: string } = {}): string {
    const { notifies = `${name}-channel`, accountId = 'acc_1', ...more } = changes;
    if (!this.channels.some((one) => one.id === notifies))
      this.channels.push(channel(accountId, notifies));
    const row = monitorRow(accountId, { name, regions: ['eu'], ...more });
    const alerts = { ...row.alerts, channels: [notifies], emails: [], onFailure: true };
    this.monitors.set(row.id, { ...row, alerts: more.alerts ?? { ...alerts, onRecovery: true } });
    return row.id;
  }

  change(id: string, changes: Partial<Monitor>): void {
    const before = this.monitors.get(id);
    if (before !== undefined) this.monitors.set(id, { ...before, ...changes });
  }

  /** Records a slot now, as the recorder does. */
  check(id: string, found: Found, tokenUrl = TOKEN_URL): void {
    const monitor = this.monitors.get(id);
    if (monitor === undefined) throw new Error('there is no such check');
    const { accountId, revision } = monitor;
    const slotMs = this.nowMs;
    const region = 'eu';
    const outcomes = [{ region, outcome: outcomeOf(found, tokenUrl) }];
    const record = { accountId, monitorId: id, revision, slotMs, outcomes };
    for (const failure of listCheckFailures(monitorRecord(record))) this.keepFailure(failure);
    const health: Health = found === 'up' || found === 'down' ? found : 'unknown';
    const before = this.statuses.get(id)?.regionsHealth[0];
    const sinceMs = before?.health === health ? before.sinceMs : slotMs;
    const regionsHealth = [{ region, health, sinceMs, lastResponseTimeMs: null }];
    const status = { id, accountId, regionsHealth, lastSlotMs: slotMs, inMaintenance: false };
    this.statuses.set(id, status as never);
  }

  checkAll(ids: readonly string[], found: Found): void {
    for (const id of ids) this.check(id, found);
  }

  setMaintenance(id: string, inMaintenance: boolean): void {
    const status = this.statuses.get(id);
    if (status !== undefined) this.statuses.set(id, { ...status, inMaintenance });
  }

  wait(ms = MINUTE_MS): void {
    this.nowMs += ms;
  }

  /** Runs the pass of the housekeeping. Runs it again if the process dies during the pass. */
  async pass(afterDeath: () => void = () => undefined): Promise<void> {
    for (;;) {
      try {
        await updateProviders(this.needs(), new AbortController().signal);
        return;
      } catch (error) {
        if (!(error instanceof Died)) throw error;
        this.deaths += 1;
        afterDeath();
      }
    }
  }

  /** Records a slot of these checks and runs a pass, once for each minute. */
  async live(minutes: number, ids: readonly string[], found: Found): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.checkAll(ids, found);
      await this.pass();
      this.wait();
    }
  }

  listSent(kind: AlertMessage['kind']): readonly string[] {
    return this.sent.filter((one) => one.kind === kind).map(({ to }) => to);
  }

  /** Returns the steps of all escalations. */
  listSteps(): readonly EscalationStep[] {
    return [...this.escalations.values()].flatMap(({ plan }) => plan.steps);
  }

  private keepFailure(failure: SignInFailure): void {
    const key = signInFailureId(failure);
    const providerId = buildIdentityProviderId(failure);
    const before = this.failures.get(key);
    const isSame = before?.providerId === providerId;
    const firstSlotMs = isSame ? before.firstSlotMs : failure.firstSlotMs;
    this.failures.set(key, { ...failure, providerId, firstSlotMs });
  }

  private async write<Value>(act: () => Value): Promise<Value> {
    const number = this.writes;
    this.writes += 1;
    if (number === this.death?.at && this.death.when === 'before') throw new Died();
    const value = act();
    if (number === this.death?.at) throw new Died();
    return value;
  }

  private needs(): Parameters<typeof updateProviders>[0] {
    const { channels, policies, monitors, statuses, escalations } = this;
    const own = <Row extends { readonly accountId: string }>(
      rows: Iterable<Row>,
      account: string,
    ) => [...rows].filter(({ accountId }) => accountId === account);
    const stores = {
      identityProviders: this.providerStore(),
      monitors: {
        list: async (account: string, { ids }: { readonly ids: readonly string[] }) => ({
          items: own(monitors.values(), account).filter(({ id }) => ids.includes(id)),
        }),
      },
      scenarios: { list: async () => ({ items: [] }) },
      statuses: {
        findMany: async (account: string, ids: readonly string[]) =>
          own(statuses.values(), account).filter(({ id }) => ids.includes(id)),
      },
      hours: { findByKey: async () => null },
      alertChannels: { list: async (account: string) => ({ items: own(channels, account) }) },
      users: { list: async () => ({ items: [] }) },
      alertPolicies: {
        findByKey: async (account: string, key: string) =>
          own(policies, account).find((one) => one.key === key) ?? null,
      },
      alertRoutes: { find: async () => null },
      escalations: {
        find: async (accountId: string, incidentId: string) => {
          const state = escalations.get(incidentId);
          return state === undefined ? null : { accountId, incidentId, state };
        },
      },
    };
    return {
      stores: stores as never,
      sealer: createTextSealer(['00'.repeat(32)], 'test'),
      temporal: this.temporal,
      newId: (kind) => newId(kind, this.nowMs),
      notifyOperator: (facts) => this.notices.push(facts),
      clock: { now: () => this.nowMs },
    };
  }

  private providerStore() {
    const { failures, records } = this;
    const refs = () => [
      ...[...failures.values()].map(({ providerId, accountId }) => ({ id: providerId, accountId })),
      ...[...records.values()].filter(({ isDone }) => !isDone),
    ];
    return {
      listActive: async () => [
        ...new Map(refs().map(({ id, accountId }) => [id, { id, accountId }])).values(),
      ],
      listFailures: async (_account: string, id: string) =>
        [...failures.values()].filter(({ providerId }) => providerId === id),
      find: async (_account: string, id: string) => copy(records.get(id) ?? null),
      save: (_account: string, record: ProviderRecord, before: ProviderRecord | null) =>
        this.write(() => {
          if (records.get(record.id)?.sequence !== before?.sequence) return false;
          records.set(record.id, copy(record));
          return true;
        }),
      saveIncident: (_account: string, incident: IncidentChange) =>
        this.write(() => void this.incidents.set(incident.id, copy(incident))),
      forget: async (_account: string, dropped: readonly SignInFailure[]) => {
        for (const one of dropped) await this.write(() => failures.delete(signInFailureId(one)));
      },
    };
  }
}

interface EscalationLedger {
  readonly sent: SentAlert[];
  readonly alerts: AlertMessage[];
  readonly escalations: Map<string, EscalationState>;
  readonly nowMs: () => number;
  readonly write: <Value>(act: () => Value) => Promise<Value>;
}

/** Creates fake escalations. They notify their due steps at once, and end with the recovery. */
export function fakeEscalations({
  sent,
  alerts,
  escalations,
  nowMs,
  write,
}: EscalationLedger): Parameters<typeof updateProviders>[0]['temporal'] {
  const ended = new Set<string>();
  return {
    extendEscalation: ({ incidentId, state }, plan) =>
      write(() => {
        if (ended.has(incidentId)) return;
        const current = escalations.get(incidentId) ?? state;
        if (!escalations.has(incidentId)) alerts.push(state.alert);
        const turn = notifyDue(withFurtherSteps(current, plan, nowMs()), nowMs());
        escalations.set(incidentId, turn.state);
        for (const { kind, contacts } of turn.notifications)
          for (const { id } of contacts) sent.push({ kind, to: id, incidentId });
      }),
    endEscalation: ({ incidentId, state }, recovery) =>
      write(() => {
        if (ended.has(incidentId)) return;
        ended.add(incidentId);
        alerts.push(recovery);
        const { notified } = escalations.get(incidentId) ?? state;
        for (const { id } of notified.filter((one) => one.isRecoveryOff !== true))
          sent.push({ kind: 'recovery', to: id, incidentId });
      }),
  };
}

class Died extends Error {}

function channel(accountId: string, id: string): AlertChannel {
  return {
    id,
    accountId,
    version: 1,
    name: id,
    key: null,
    type: 'webhook',
    isDefault: false,
    onlyKinds: null,
    fallbackId: null,
    fallbackAfterMinutes: 5,
    config: {},
    places: [{ shown: id, sealed: id }],
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}

export function policy(accountId: string, key: string, steps: AlertPolicy['steps']): AlertPolicy {
  const times = { version: 1, createdAtMs: 0, updatedAtMs: 0 };
  const rest = { quietHours: null, lastResort: null };
  return { ...times, ...rest, id: `pol_${key}`, accountId, key, name: key, steps };
}

const TIMES: readonly [string, string] = ['2026-01-05T12:00:00.000Z', '2026-01-05T12:00:01.000Z'];

function outcomeOf(found: Found, tokenUrl: string): StepOutcome {
  if (found === 'up') return createUnmeasuredOutcome('up', null, TIMES);
  const failure = (code: 'auth_failed' | 'timeout' | 'region_unavailable') => ({
    code,
    message: `It failed: ${found}.`,
    phase: null,
  });
  if (found === 'down') return createUnmeasuredOutcome('down', failure('timeout'), TIMES);
  if (found === 'lost')
    return createUnmeasuredOutcome('unknown', failure('region_unavailable'), TIMES);
  const reason = found === 'refused' ? '401 (invalid_client)' : '503';
  const outcome = createUnmeasuredOutcome('unknown', failure('auth_failed'), TIMES);
  return { ...outcome, signInFault: { tokenUrl, problem: found, reason } };
}
