/**
 * Keeps one child process alive. Starts it, waits until it is ready, restarts it with growing pauses, and stops it
 * within a time limit.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildLog } from './child-log';
import { signalProcess } from './process-identity';

/** Stages in which processes are stopped, in this order. */
export type Stage = 'probe' | 'orchestrator' | 'api' | 'temporal' | 'database';

export interface ProcessPlan {
  readonly name: string;
  readonly stage: Stage;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /**
   * Finds out whether the child is ready. Called every 50 ms with the child's last lines, until it resolves to true. A
   * rejection means that the child is not ready yet.
   */
  readonly isReady: (lastLines: readonly string[]) => Promise<boolean>;
}

export interface ProcessEvents {
  /**
   * Called when a process has started. If a child runs a third-party program, this program is reported as well, with a
   * name that ends in ` program`.
   */
  readonly onStarted: (name: string, pid: number) => void;
  /** Called with a sentence that users should read. */
  readonly onEvent: (sentence: string) => void;
}

export interface SupervisedProcess {
  readonly plan: ProcessPlan;
  /**
   * Resolves when the child is ready for the first time. Rejects if the child ends, hangs or is stopped before that.
   */
  readonly ready: Promise<void>;
  /** Stops the child permanently, with SIGKILL after `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 50;
const BACK_OFF_MIN_MS = 1_000;
const BACK_OFF_MAX_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/**
 * Returns how many milliseconds to wait before the next start. The wait doubles each time, up to 30 s. After the child
 * has lived for 60 s, the wait is short again.
 */
export function nextBackOffMs(previousMs: number, livedMs: number): number {
  if (previousMs === 0 || livedMs >= HEALTHY_AFTER_MS) return BACK_OFF_MIN_MS;
  return Math.min(previousMs * 2, BACK_OFF_MAX_MS);
}

function describeEnd(child: ChildProcess): string {
  return child.signalCode === null ? `exit code ${child.exitCode}` : `ended by ${child.signalCode}`;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** Kills a child with its process group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  signalProcess(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

interface Launch {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

function launch(plan: ProcessPlan, log: ChildLog, events: ProcessEvents): Launch {
  // Each child has a session of its own. A Ctrl-C in the terminal then does not reach it, and the supervisor can stop
  // the children in order.
  const child = spawn(plan.command, [...plan.args], {
    env: plan.environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) log.follow(stream);
  if (child.pid !== undefined) events.onStarted(plan.name, child.pid);
  child.on('message', (message) => {
    if (typeof message !== 'object' || message === null || !('foreignPid' in message)) return;
    if (typeof message.foreignPid !== 'number') return;
    events.onStarted(`${plan.name} program`, message.foreignPid);
  });
  child.on('error', (error) => events.onEvent(`${plan.name}: ${error.message}`));
  return { child, ended: whenEnded(child) };
}

function withLastLines(sentence: string, log: ChildLog): string {
  const lines = log.lastLines().map((line) => `    ${line}`);
  return [`${sentence}. Its last lines:`, ...lines].join('\n');
}

function reportDeath({ name }: ProcessPlan, log: ChildLog, child: ChildProcess): string {
  return withLastLines(`${name} has died (${describeEnd(child)})`, log);
}

/**
 * Creates a function that must be called when a child has ended. If the event-loop watchdog has ended the child, it
 * returns a sentence with the work that blocked the event loop, and how often this work has done so. Otherwise, it
 * returns null.
 */
function countStillEnds(log: ChildLog): (child: ChildProcess) => string | null {
  const counts = new Map<string, number>();
  return ({ pid }) => {
    const isItsLast = (line: string): boolean =>
      line.includes('"event":"event_loop_still"') && line.includes(`"pid":${pid},`);
    const line = log.lastLines().find(isItsLast);
    if (line === undefined) return null;
    const work = /"running":"([^",]+)/.exec(line)?.[1] ?? 'no work in progress';
    const count = (counts.get(work) ?? 0) + 1;
    counts.set(work, count);
    return `It was blocked in: ${work} (${count} since the start of the service).`;
  };
}

/** Starts the child at once and keeps it alive until `stop`. */
export function superviseProcess(
  plan: ProcessPlan,
  log: ChildLog,
  events: ProcessEvents,
): SupervisedProcess {
  const stopping = new AbortController();
  const stillEnd = countStillEnds(log);
  let current = launch(plan, log, events);

  async function awaitReady(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!stopping.signal.aborted) {
      if (hasEnded(current.child)) throw new Error(reportDeath(plan, log, current.child));
      if (await plan.isReady(log.lastLines()).catch(() => false)) return;
      if (Date.now() > deadline) {
        const hung = `${plan.name} was not ready within ${READY_WITHIN_MS / 1000} s`;
        throw new Error(withLastLines(hung, log));
      }
      await sleep(READY_POLL_MS);
    }
    throw new Error(`${plan.name} was stopped before it was ready.`);
  }

  async function keepAlive(): Promise<void> {
    for (let backOffMs = 0; ; ) {
      const startedAt = Date.now();
      await current.ended;
      if (stopping.signal.aborted) return;
      killGroup(current.child);
      backOffMs = nextBackOffMs(backOffMs, Date.now() - startedAt);
      const death = reportDeath(plan, log, current.child);
      const next = `It is started again in ${backOffMs / 1000} s.`;
      const sentences = [stillEnd(current.child), next].filter((one) => one !== null);
      events.onEvent([death, ...sentences].join('\n    '));
      await sleep(backOffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      current = launch(plan, log, events);
    }
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort();
    const { child, ended } = current;
    if (!hasEnded(child)) {
      const killer = setTimeout(() => killGroup(child), graceMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(killer);
    }
    killGroup(child);
    log.close();
  }

  const ready = awaitReady();
  ready.then(keepAlive).catch(() => undefined);
  return { plan, ready, stop };
}
