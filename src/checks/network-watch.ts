/**
 * Distinguishes a broken target from a broken network of our own. If a target cannot be reached, contacts hosts that
 * should always respond (canaries). While no canary responds, outcomes are unknown instead of down.
 */
import { connect } from 'node:net';
import type { Definition } from '../contracts/definition';
import type { FailureCode, StepOutcome } from '../contracts/outcome';
import type { StepRunner } from './step-runner';

const CANARY_DEADLINE_MS = 1_500;
/**
 * A canary must have responded within this time. Otherwise the silence of the canaries proves nothing about the
 * network.
 */
const PROVEN_FOR_MS = 10 * 60_000;

/** Failures that a broken network of our own can cause. */
const NETWORK_FAILURES: ReadonlySet<FailureCode> = new Set([
  'dns_error',
  'connection_refused',
  'connection_reset',
  'connection_timeout',
  'tls_error',
  'timeout',
]);

export interface CanaryHost {
  readonly host: string;
  readonly port: number;
}

export interface NetworkWatchOptions {
  /** Empty means that the network is never suspected. */
  readonly canaries: readonly CanaryHost[];
  readonly nowMs: () => number;
}

export interface NetworkWatch {
  /** Returns the outcome unchanged. While our own network is suspect, returns an unknown outcome instead. */
  readonly judge: (outcome: StepOutcome) => Promise<StepOutcome>;
  /**
   * Contacts the canaries again. Returns since when our own network has been suspect, or null. Call it regularly,
   * because only a canary that has responded recently can prove anything.
   */
  readonly look: () => Promise<number | null>;
}

export function createNetworkWatch({ canaries, nowMs }: NetworkWatchOptions): NetworkWatch {
  let respondedAtMs = Number.NEGATIVE_INFINITY;
  let provenAtMs = Number.NEGATIVE_INFINITY;
  let suspectSinceMs: number | null = null;
  let looking: { readonly beganAtMs: number; readonly done: Promise<void> } | null = null;

  async function lookAtCanaries(): Promise<void> {
    const isReachable = await isAnyReachable(canaries);
    if (isReachable) {
      provenAtMs = nowMs();
      suspectSinceMs = null;
    } else if (nowMs() - provenAtMs <= PROVEN_FOR_MS) {
      suspectSinceMs ??= nowMs();
    }
  }

  /**
   * Contacts the canaries. If this has been done since `atMs`, or is in progress since then, only waits for the result.
   */
  async function lookSince(atMs: number): Promise<void> {
    if (looking === null || looking.beganAtMs < atMs)
      looking = { beganAtMs: nowMs(), done: lookAtCanaries() };
    await looking.done;
  }

  return {
    async judge(outcome) {
      if (outcome.response !== null) respondedAtMs = nowMs();
      if (canaries.length === 0 || !isNetworkFailure(outcome)) return outcome;
      const beganAtMs = Date.parse(outcome.startedAt);
      if (respondedAtMs >= beganAtMs) return outcome;
      await lookSince(beganAtMs);
      return suspectSinceMs === null ? outcome : suspectOutcome(outcome);
    },
    async look() {
      if (canaries.length > 0) await lookSince(nowMs());
      return suspectSinceMs;
    },
  };
}

/** Wraps the runner so that the network watch judges its outcomes. */
export function watchNetwork(
  runner: Pick<StepRunner, 'runStep'>,
  network: NetworkWatch,
): Pick<StepRunner, 'runStep'> {
  return {
    runStep: async (definition: Definition, stepIndex, inputs) =>
      network.judge(await runner.runStep(definition, stepIndex, inputs)),
  };
}

function isNetworkFailure({ status, response, failure }: StepOutcome): boolean {
  if (status !== 'down' || response !== null || failure === null) return false;
  return NETWORK_FAILURES.has(failure.code);
}

function suspectOutcome(outcome: StepOutcome): StepOutcome {
  const message = 'Network problem in this region: the reference hosts do not respond.';
  return {
    ...outcome,
    status: 'unknown',
    failure: { code: 'region_unavailable', message, phase: outcome.failure?.phase ?? null },
  };
}

async function isAnyReachable(canaries: readonly CanaryHost[]): Promise<boolean> {
  const reachable = await Promise.all(canaries.map(isReachable));
  return reachable.includes(true);
}

function isReachable({ host, port }: CanaryHost): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(() => end(false), CANARY_DEADLINE_MS);
    socket.once('connect', () => end(true));
    // This listener is never removed, because an error may come after the end.
    socket.on('error', () => end(false));
  });
}
