/**
 * Registers the signals and the update that monitors and scenarios share. Handlers only change the context and wake its
 * loop. They wait for nothing and call nothing.
 */
import { defineSignal, defineUpdate, log, patched, setHandler } from '@temporalio/workflow';
import type { AlertState, IncidentSilence } from '../../contracts/alerts';
import { CONFIGURE_UPDATE, SIGNALS, SILENCE_UPDATE } from '../../contracts/workflows';
import { withSilence } from '../../domain/alerting/alert-policy';
import {
  type TimeState,
  withConfig,
  withFormerGrid,
  withPause,
  withPlan,
  withResume,
} from './keep-time';
import { withOperatorChange } from './operator-change';
import { createKnownChecks, type KnownChecks } from './report-health';
import { findConfigProblem, isMaintenancePlan, isPauseNote, isSilence } from './signal-arguments';
import type { Recording } from './store-record';

/**
 * Marks histories in which a watch continues under a new configuration. Earlier releases ended the watch at every new
 * configuration, and did not record unchecked slots of the old grid.
 */
export const FOLLOWS_CONFIG = 'watch-follows-config';

/** The data of a running workflow in addition to its state. It is the only mutable object of a run. */
export interface WorkflowContext<State extends Recording['state']> extends Recording {
  state: State;
  /**
   * True while the dependencies are being asked about their health. The workflow must not continue as new during that
   * time.
   */
  isAsking: boolean;
  /** True if the workflow must continue as new on another build as soon as nothing is in progress. */
  mustMoveOn: boolean;
  readonly checks: KnownChecks;
  /**
   * Set while a watch runs. Called after a new configuration. If it returns true, the watch continues under the new
   * configuration, and the loop need not wake.
   */
  followConfig: (() => boolean) | null;
}

interface Alerting {
  readonly alerts: AlertState;
}

export function createContext<State extends Recording['state']>(
  state: State,
): WorkflowContext<State> {
  return {
    state,
    woken: false,
    removed: false,
    isWaiting: false,
    isRetrying: false,
    mustMoveOn: false,
    isAsking: false,
    checks: createKnownChecks(),
    followConfig: null,
  };
}

/** Registers all handlers except `runNow`. Must be called before the first await of the workflow. */
export function handleLifecycle<State extends TimeState & Alerting>(
  context: WorkflowContext<State>,
): void {
  handleSilence(context);
  const change = (next: State): void => {
    context.state = next;
    context.woken = true;
  };

  setHandler(defineSignal<[State['config']]>(SIGNALS.configure), (config) => {
    configure(context, config);
  });
  setHandler(defineSignal<[unknown]>(SIGNALS.pause), (note) => {
    const atMs = Date.now();
    if (isPauseNote(note))
      change(withOperatorChange(withPause(context.state, atMs), { paused: true, atMs, note }));
    else log.warn('ignored a pause with invalid arguments');
  });
  setHandler(defineSignal<[unknown]>(SIGNALS.resume), (note) => {
    const atMs = Date.now();
    if (isPauseNote(note))
      change(withOperatorChange(withResume(context.state, atMs), { paused: false, atMs, note }));
    else log.warn('ignored a resume with invalid arguments');
  });
  setHandler(defineSignal<[unknown]>(SIGNALS.planMaintenance), (plan) => {
    if (isMaintenancePlan(plan)) change(withPlan(context.state, plan, Date.now()));
    else log.warn('ignored an invalid maintenance plan');
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    context.mustMoveOn = true;
    context.woken = true;
  });
  setHandler(defineSignal(SIGNALS.remove), () => {
    context.removed = true;
    context.woken = true;
  });
  setHandler(
    defineUpdate<number, [State['config']]>(CONFIGURE_UPDATE),
    (config) => {
      configure(context, config);
      return context.state.config.version;
    },
    {
      validator: (config) => {
        const problem = findConfigProblem(config, context.state.config.id);
        if (problem !== null) throw new Error(problem);
      },
    },
  );
}

/** Handles acknowledgements and snoozes. Wakes the loop, because a snooze ends by a timer. */
function handleSilence<State extends TimeState & Alerting>(context: WorkflowContext<State>): void {
  const silence = (given: IncidentSilence): void => {
    const alerts = withSilence(context.state.alerts, given);
    if (alerts === context.state.alerts) return;
    context.state = { ...context.state, alerts };
    context.woken = true;
  };
  setHandler(defineSignal<[unknown]>(SIGNALS.silence), (given) => {
    if (isSilence(given)) silence(given);
    else log.warn('ignored an acknowledgement with invalid arguments');
  });
  setHandler(defineUpdate<void, [IncidentSilence]>(SILENCE_UPDATE), silence, {
    validator: (given) => {
      if (!isSilence(given)) throw new Error('the incident and the type of response are required');
    },
  });
}

/** Applies a configuration that came from outside. A malformed configuration is logged and ignored. */
export function configure<State extends TimeState>(
  context: WorkflowContext<State>,
  config: State['config'],
): void {
  const problem = findConfigProblem(config, context.state.config.id);
  if (problem !== null) {
    log.warn('ignored a configuration', { problem });
    return;
  }
  const before = context.state;
  context.state = withConfig(before, config, Date.now());
  const isMoved = context.state.config.anchorMs !== before.config.anchorMs;
  if (isMoved && patched(FOLLOWS_CONFIG)) context.state = withFormerGrid(context.state, before);
  if (context.followConfig?.() !== true) context.woken = true;
}
