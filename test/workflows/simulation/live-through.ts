/** Plays a random history on a virtual service, and records what should happen and what was stored. */
import type { AlertMessage, DeliveryOutcome } from '../../../src/contracts/alerts';
import type { MaintenancePlan } from '../../../src/contracts/maintenance';
import type { StepOutcome } from '../../../src/contracts/outcome';
import {
  type MonitorConfig,
  type MonitorState,
  monitorWorkflowId,
  SIGNALS,
} from '../../../src/contracts/workflows';
import type { Monitor } from '../../../src/models/resources/monitors';
import { buildStepConfig } from '../../../src/services/resources/compose-config';
import { readLastKnownState } from '../../../src/services/resources/last-known-state';
import { resumeChange, toPausedFields } from '../../../src/services/resources/pause';
import { seedMonitorState } from '../../../src/services/resources/seed-state';
import { buildTarget, configureTarget } from '../../../src/temporal/workflow-gateway';
import { monitorRow, stepDefinition } from '../../models/example-records';
import { outcomeOf } from '../../support/outcomes';
import type { Ledger } from '../ledger';
import { createGate } from '../loop/random-orders';
import { type SentStep, startVirtualService, type VirtualService } from '../virtual-service';
import { Faults } from './faults';
import { type BreakWrites, MemoryDatabase } from './memory-database';
import {
  type Life,
  REGIONS,
  type SimulatedMonitor,
  statusAt,
  type Trouble,
  type TroubleKind,
} from './random-life';

const MINUTE_MS = 60_000;
const DEADLINE_MS = 60_000;
const HANGS_MS = 3 * MINUTE_MS;
const CHECK_MS = 20;
/** Milliseconds after which all records that waited for the database are stored. */
const HANDED_OVER_MS = 45 * MINUTE_MS;
const MAIL = {
  key: 'mail',
  type: 'email',
  channelId: null,
  masked: 'a…@example.com',
  sealed: 'sealed',
} as const;

/** A monitor of a history: its plan, its configuration, and what happened to it. */
export interface LivedMonitor {
  readonly simulated: SimulatedMonitor;
  readonly config: MonitorConfig;
  readonly pauses: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly requests: readonly { readonly id: string; readonly atMs: number }[];
  readonly losses: readonly Loss[];
}

/** The loss of a workflow, and the state with which the next workflow started. */
interface Loss {
  readonly atMs: number;
  /** The state with which the next workflow started. */
  readonly state: MonitorState;
  /** Number of the workflow's records that were stored before the loss. */
  readonly records: number;
}

export interface LivedLife {
  readonly life: Life;
  readonly database: MemoryDatabase;
  readonly ledger: Ledger;
  readonly monitors: readonly LivedMonitor[];
  /** Alerts that reached people. Some of them arrived twice. */
  readonly mailbox: readonly AlertMessage[];
  /** Number of occurrences of each kind of trouble. */
  readonly troubles: ReadonlyMap<TroubleKind, number>;
}

/** Deliberate defects of a service, which the oracle must find. */
export interface Breakage {
  readonly writes?: BreakWrites;
  /** If it returns true, no recipient is found for this alert. */
  readonly forgets?: (alert: AlertMessage) => boolean;
}

export async function liveThrough(life: Life, breakage: Breakage = {}): Promise<LivedLife> {
  const database = new MemoryDatabase();
  const faults = new Faults();
  const service = await startVirtualService(REGIONS, {
    openDatabase: (ledger) => {
      faults.ledger = ledger;
      return database.open(faults, breakage.writes);
    },
  });
  try {
    faults.sleep = service.sleep;
    const player = new Player(service, { life, database, faults, breakage });
    await player.play();
    return player.lived();
  } finally {
    await service.stop();
  }
}

interface Event {
  readonly atMs: number;
  readonly act: () => Promise<void> | void;
}

interface Played {
  readonly life: Life;
  readonly database: MemoryDatabase;
  readonly faults: Faults;
  readonly breakage: Breakage;
}

interface Noted {
  readonly alert: AlertMessage;
  readonly createdAtMs: number;
}

/** A monitor as people and the API see it. */
interface Subject {
  readonly simulated: SimulatedMonitor;
  row: Monitor;
  readonly pauses: { readonly fromMs: number; toMs: number }[];
  readonly requests: { readonly id: string; readonly atMs: number }[];
  readonly losses: Loss[];
  /** The instant at which the monitor's workflow was lost. null if the workflow exists. */
  lostAtMs: number | null;
  /**
   * The state with which a lost workflow restarts. All callers that find the workflow missing at the same instant use
   * this state.
   */
  begunAnewWith: Promise<MonitorState> | undefined;
}

class Player {
  private readonly agenda: Event[] = [];
  private readonly subjects = new Map<string, Subject>();
  private readonly mailbox: AlertMessage[] = [];
  private readonly noted = new Map<string, Noted>();
  private readonly counts = new Map<TroubleKind, number>();
  private readonly active = new Set<Trouble>();
  private readonly endings: Promise<unknown>[] = [];
  private readonly orchestrator = createGate();
  private withoutOrchestrator: Promise<unknown> | null = null;

  constructor(
    private readonly service: VirtualService,
    private readonly played: Played,
  ) {
    const { life, breakage } = played;
    const { ledger } = service;
    ledger.receivers.set(MAIL.key, () => this.receive());
    ledger.findRecipients = ({ alert, recipients }) => {
      if (breakage.forgets?.(alert) === true) return [];
      const createdAtMs = service.nowMs();
      if (!this.noted.has(alert.id)) this.noted.set(alert.id, { alert, createdAtMs });
      return recipients.targets;
    };
    for (const simulated of life.monitors)
      this.plan(simulated.createdAtMs, () => this.create(simulated));
    for (const trouble of life.troubles) this.plan(trouble.fromMs, () => this.begin(trouble));
  }

  async play(): Promise<void> {
    const { service } = this;
    for (let next = this.agenda.shift(); next !== undefined; next = this.agenda.shift()) {
      if (next.atMs > service.nowMs()) await service.pass(next.atMs - service.nowMs());
      await next.act();
      for (const subject of this.subjects.values()) subject.begunAnewWith = undefined;
    }
    await service.pass(this.played.life.toMs - service.nowMs());
    await Promise.all(this.endings);
  }

  lived(): LivedLife {
    const { life, database } = this.played;
    const monitors = [...this.subjects.values()].map(({ row, ...subject }) => ({
      ...subject,
      config: configOf(row, life.toMs),
    }));
    const { ledger } = this.service;
    return { life, database, ledger, monitors, mailbox: this.mailbox, troubles: this.counts };
  }

  private plan(atMs: number, act: Event['act']): void {
    this.agenda.push({ atMs, act });
    this.agenda.sort((one, other) => one.atMs - other.atMs);
  }

  private receive(): DeliveryOutcome {
    const { channel } = this.played.faults;
    const alert = this.service.ledger.tries.at(-1)?.alert;
    if (channel === 'down') return { kind: 'later', detail: 'try later', afterMs: null };
    if (alert !== undefined) this.mailbox.push(alert);
    // The alert was sent, but its sender dies before it reports the success.
    if (channel === 'dies') throw new Error('the sender dies');
    return { kind: 'sent', detail: 'taken' };
  }

  private async create(simulated: SimulatedMonitor): Promise<void> {
    const { service } = this;
    const { rules } = simulated;
    const createdAtMs = service.nowMs();
    const step = stepDefinition({ retries: 0, timeoutMs: 10_000 });
    const saved = { createdAtMs, regions: REGIONS, alertTargets: [MAIL], step, ...rules };
    const row = monitorRow('acc_1', saved);
    const lists = { pauses: [], requests: [], losses: [] };
    const subject: Subject = {
      simulated,
      row,
      ...lists,
      lostAtMs: null,
      begunAnewWith: undefined,
    };
    this.subjects.set(row.id, subject);
    this.played.database.save(row);
    service.answer(row.id, (sent) => this.answer(simulated, sent));
    await service.gateway.configureMonitor(configOf(row, createdAtMs));
    await service.gateway.planMaintenance('monitor', row.id, this.planOf(subject));
  }

  private planOf({ simulated }: Subject): MaintenancePlan {
    const asOfMs = this.service.nowMs();
    return { asOfMs, spans: simulated.spans.filter(({ toMs }) => toMs > asOfMs) };
  }

  private async answer(simulated: SimulatedMonitor, sent: SentStep): Promise<StepOutcome> {
    const { faults } = this.played;
    const { region, slotMs } = sent;
    const startedAt = new Date(this.service.nowMs()).toISOString();
    if (faults.dying.delete(region)) {
      await this.service.stopProbe(region, 'dies');
      return new Promise<never>(() => undefined);
    }
    // The start and the end of a check are never at the same instant as those of another check.
    await this.service.sleep(faults.hanging.has(region) ? HANGS_MS : CHECK_MS);
    const finishedAt = new Date(this.service.nowMs()).toISOString();
    return { ...outcomeOf(statusAt(simulated, region, slotMs)), startedAt, finishedAt };
  }

  private async begin(trouble: Trouble): Promise<void> {
    const { kind, toMs } = trouble;
    if (!(await this.beginnings[kind](trouble))) return;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const end = this.ends[kind];
    if (end === undefined) return;
    this.active.add(trouble);
    this.plan(toMs, () => this.end(trouble, end));
  }

  private async end(
    trouble: Trouble,
    end: (trouble: Trouble) => Promise<boolean> | boolean,
  ): Promise<void> {
    if (await end(trouble)) this.active.delete(trouble);
    else this.plan(this.service.nowMs() + MINUTE_MS, () => this.end(trouble, end));
  }

  /** Functions that begin a trouble. They return false if the trouble cannot occur now. */
  private readonly beginnings: Readonly<
    Record<TroubleKind, (trouble: Trouble) => Promise<boolean> | boolean>
  > = {
    'no probe': ({ region }) => this.stopProbe(region, 'in order'),
    'probe dies': ({ region }) => this.stopProbe(region, 'dies'),
    'probe dies in a check': ({ region }) => this.note(this.played.faults.dying.add(region)),
    'checks hang': ({ region }) => this.note(this.played.faults.hanging.add(region)),
    'database away': () => this.setDatabase({ isAway: true }),
    'database slow': () => this.setDatabase({ isSlow: true }),
    'database refuses': ({ monitorId }) => {
      this.service.ledger.refused.add(monitorId);
      return this.setDatabase({});
    },
    'answers lost': () => this.setDatabase({ losesAnswers: true }),
    'no orchestrator': () => {
      this.orchestrator.close();
      this.withoutOrchestrator = this.service.withoutOrchestrator(() =>
        this.orchestrator.passage(),
      );
      return true;
    },
    'channel down': () => this.setChannel('down'),
    'sender dies': () => this.setChannel('dies'),
    paused: (trouble) => this.pause(trouble),
    'workflow lost': ({ monitorId }) => this.lose(monitorId),
    'cache lost': async () => {
      if (this.withoutOrchestrator !== null) return false;
      await this.service.replaceOrchestrator();
      return true;
    },
    'continues as new': ({ monitorId }) => this.moveOn(monitorId),
    'check now': ({ monitorId }) => this.ask(monitorId),
    edited: ({ monitorId }) => this.edit(monitorId),
    'all at once': async ({ monitorId }) => {
      const acts = [this.moveOn(monitorId), this.ask(monitorId), this.edit(monitorId)];
      return (await Promise.all(acts)).some(Boolean);
    },
  };

  /** Functions that end a trouble. They return false if the trouble cannot end yet. */
  private readonly ends: Readonly<
    Partial<Record<TroubleKind, (trouble: Trouble) => Promise<boolean> | boolean>>
  > = {
    'no probe': ({ region }) => this.startProbe(region),
    'probe dies': ({ region }) => this.startProbe(region),
    'probe dies in a check': ({ region }) => {
      this.played.faults.dying.delete(region);
      return this.startProbe(region);
    },
    'checks hang': ({ region }) => this.note(this.played.faults.hanging.delete(region)),
    'database away': () => this.setDatabase({ isAway: false }),
    'database slow': () => this.setDatabase({ isSlow: false }),
    'database refuses': ({ monitorId }) => {
      this.service.ledger.refused.delete(monitorId);
      return this.setDatabase({});
    },
    'answers lost': () => this.setDatabase({ losesAnswers: false }),
    'no orchestrator': async () => {
      this.orchestrator.open();
      await this.withoutOrchestrator;
      this.withoutOrchestrator = null;
      return true;
    },
    'channel down': () => this.setChannel('up'),
    'sender dies': () => this.setChannel('up'),
    paused: ({ monitorId }) => this.resume(monitorId),
    'workflow lost': ({ monitorId }) => this.heal(monitorId),
  };

  private note(_changed: unknown): boolean {
    return true;
  }

  private stopProbe(region: string, end: 'in order' | 'dies'): boolean {
    // Does not wait for the end, because the results that the probe still delivers need time to pass.
    this.endings.push(this.service.stopProbe(region, end));
    return true;
  }

  private async startProbe(region: string): Promise<boolean> {
    await this.service.startProbe(region);
    return true;
  }

  private setDatabase(
    change: Partial<Pick<Faults, 'isAway' | 'isSlow' | 'losesAnswers'>>,
  ): boolean {
    const { faults } = this.played;
    Object.assign(faults, change, { lastDatabaseMs: this.service.nowMs() });
    this.service.ledger.isAway = faults.isAway;
    return true;
  }

  private setChannel(channel: Faults['channel']): boolean {
    const { faults } = this.played;
    if (channel !== 'up' && faults.channel !== 'up') return false;
    faults.channel = channel;
    return true;
  }

  /** Returns the monitor if the API can change it now, otherwise null. */
  private find(monitorId: string): Subject | null {
    return this.service.ledger.isAway ? null : (this.subjects.get(monitorId) ?? null);
  }

  private async save(subject: Subject, change: Partial<Monitor>): Promise<boolean> {
    const updatedAtMs = this.service.nowMs();
    subject.row = { ...subject.row, ...change, version: subject.row.version + 1, updatedAtMs };
    this.played.database.save(subject.row);
    await this.configure(subject);
    return true;
  }

  /** Configures the workflow of the monitor. If the workflow is lost, it restarts with the state in the database. */
  private async configure(subject: Subject): Promise<void> {
    const config = configOf(subject.row, this.service.nowMs());
    const state = await this.seed(subject);
    await configureTarget(this.service.client, buildTarget(config, state), DEADLINE_MS);
  }

  private seed(subject: Subject): Promise<MonitorState> | undefined {
    const { lostAtMs } = subject;
    if (lostAtMs === null) return subject.begunAnewWith;
    subject.lostAtMs = null;
    subject.begunAnewWith = this.readSeed(subject, lostAtMs);
    return subject.begunAnewWith;
  }

  private async readSeed(subject: Subject, lostAtMs: number): Promise<MonitorState> {
    const { row } = subject;
    const known = await readLastKnownState(this.storesOf(row), row);
    const maintenance = this.planOf(subject);
    const state = seedMonitorState({ ...known, maintenance }, this.service.nowMs());
    if ('progress' in state) throw new Error('a monitor is no heartbeat');
    const records = this.played.database.readRecords(row.id).length;
    subject.losses.push({ atMs: lostAtMs, state, records });
    return state;
  }

  private storesOf({ id: monitorId }: Monitor) {
    const { database } = this.played;
    const nothing = async (): Promise<readonly never[]> => [];
    const items = [...this.noted.values()]
      .filter(({ alert }) => alert.resourceId === monitorId)
      .map(({ alert: { kind, incidentId }, createdAtMs }) => ({ kind, incidentId, createdAtMs }))
      .reverse();
    const isOf = (kind: unknown) => (one: (typeof items)[number]) =>
      kind === undefined || one.kind === kind;
    const stores = {
      statuses: {
        findMany: async () => [database.readStatus(monitorId)].flatMap((one) => one ?? []),
      },
      incidents: {
        findOpen: async () => database.findOpenIncident(monitorId),
        find: async (_account: string, id: string) => database.incidents.get(id) ?? null,
      },
      maintenanceWindows: { listAll: nothing },
      hours: { listAll: nothing },
      accounts: { find: async () => null },
      alerts: {
        page: async (_account: string, { kind }: { readonly kind?: string }) => ({
          items: items.filter(isOf(kind)),
        }),
      },
      escalations: { find: async () => null },
    };
    return { stores, clock: { now: () => this.service.nowMs() } } as never;
  }

  private async pause({ monitorId }: Trouble): Promise<boolean> {
    const subject = this.find(monitorId);
    if (subject === null || subject.row.state === 'paused') return false;
    const nowMs = this.service.nowMs();
    subject.pauses.push({ fromMs: nowMs, toMs: Number.POSITIVE_INFINITY });
    return this.save(subject, toPausedFields(nowMs));
  }

  private async resume(monitorId: string): Promise<boolean> {
    const subject = this.find(monitorId);
    const pause = subject?.pauses.at(-1);
    if (subject === null || pause === undefined) return false;
    pause.toMs = this.service.nowMs();
    return this.save(subject, resumeChange(subject.row, pause.toMs));
  }

  private async edit(monitorId: string): Promise<boolean> {
    const subject = this.find(monitorId);
    return subject !== null && this.save(subject, { revision: subject.row.revision + 1 });
  }

  private async ask(monitorId: string): Promise<boolean> {
    const subject = this.find(monitorId);
    if (subject === null || subject.row.state === 'paused') return false;
    const { row, requests } = subject;
    const atMs = this.service.nowMs();
    const id = `req_${monitorId}_${requests.length}`;
    requests.push({ id, atMs });
    const lost = await this.seed(subject);
    const request = { requestId: id, requestedAtMs: atMs };
    await this.service.gateway.checkMonitorNow(configOf(row, atMs), request, lost);
    return true;
  }

  private async moveOn(monitorId: string): Promise<boolean> {
    if (this.subjects.get(monitorId)?.lostAtMs !== null) return false;
    await this.handleOf(monitorId).signal(SIGNALS.moveOn);
    return true;
  }

  /** Makes Temporal lose the workflow, after all records of the workflow are stored. */
  private async lose(monitorId: string): Promise<boolean> {
    const subject = this.find(monitorId);
    const { lastDatabaseMs } = this.played.faults;
    const isBusy = [...this.active].some(
      ({ kind }) => kind !== 'paused' && kind !== 'channel down',
    );
    const isHandedOver = this.service.nowMs() - lastDatabaseMs > HANDED_OVER_MS;
    if (subject === null || subject.lostAtMs !== null || isBusy || !isHandedOver) return false;
    await this.service.settle();
    await this.handleOf(monitorId).terminate('lost');
    subject.lostAtMs = this.service.nowMs();
    return true;
  }

  private async heal(monitorId: string): Promise<boolean> {
    const subject = this.find(monitorId);
    if (subject === null) return false;
    if (subject.lostAtMs !== null) await this.configure(subject);
    return true;
  }

  private handleOf(monitorId: string) {
    return this.service.client.workflow.getHandle(monitorWorkflowId(monitorId));
  }
}

function configOf(row: Monitor, nowMs: number): MonitorConfig {
  if (row.step === null) throw new Error('a simulated monitor has a step');
  return buildStepConfig(row, row.step, nowMs);
}
