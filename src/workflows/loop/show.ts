/**
 * Shows a workflow in the Temporal UI: current details, summaries and search attributes. They must not contain a URL,
 * name or secret.
 */

import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ResourceKind } from '../../contracts/definition';
import { SEARCH_ATTRIBUTES } from '../../contracts/workflows';
import { nextEdgeMs } from '../../domain/health/maintenance';
import { nextSlotMs, type TimeState } from './keep-time';

export const accountKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.account, 'KEYWORD');
export const kindKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.kind, 'KEYWORD');
export const resourceKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.resource, 'KEYWORD');
export const stateKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.state, 'KEYWORD');
export const healthKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.health, 'KEYWORD');
export const triggerKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.trigger, 'KEYWORD');
export const regionsKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.regions, 'KEYWORD_LIST');

/** The server's SQL database refuses long keywords. Region lists are far below its limit. */
type Keyword = SearchAttributePair & { readonly value: string | string[] };

/**
 * Shows the current state. The link is repeated here, because static details end with the first history. Each update of
 * search attributes adds an event to the history, so an attribute is sent only when it changes.
 */
export function show(
  kind: ResourceKind,
  state: TimeState,
  nowMs: number,
  more: readonly string[] = [],
): void {
  const { config, health } = state;
  const next = nextSlotMs(state, nowMs);
  setCurrentDetails(
    [
      `**${formatStanding(state)}** since ${formatInstant(health.sinceMs)}`,
      '',
      `[${kind} ${config.id}](/${kind}s/${config.id})`,
      '',
      `- every ${config.intervalMs / 1_000} s, definition ${config.revision}`,
      `- last slot ${state.lastSlotMs === null ? 'none yet' : formatInstant(state.lastSlotMs)}`,
      `- next check ${next === null ? 'when resumed' : formatInstant(next)}`,
      '',
      '| region | health | since | last ms |',
      '|---|---|---|---|',
      ...health.regions.map(
        (seen) =>
          `| ${seen.region} | ${seen.health} | ${formatInstant(seen.sinceMs)} | ${seen.lastResponseTimeMs ?? '–'} |`,
      ),
      ...more,
    ].join('\n'),
  );
  publish([
    { key: stateKey, value: config.paused ? 'paused' : 'active' },
    { key: healthKey, value: health.health },
    { key: regionsKey, value: [...config.regions] },
  ]);
}

/**
 * Shows that a watch is running. During the watch, nothing else is updated. Operators see its progress in the pending
 * activities.
 */
export function showWatch(
  { config, health }: Pick<TimeState, 'config' | 'health'>,
  firstSlotMs: number,
): void {
  setCurrentDetails(
    [
      `**${health.health}** since ${formatInstant(health.sinceMs)}, steady`,
      '',
      `[monitor ${config.id}](/monitors/${config.id})`,
      '',
      `- every ${config.intervalMs / 1_000} s, definition ${config.revision}`,
      `- since the slot ${formatInstant(firstSlotMs)} one pending activity per region makes the checks`,
      '- its heartbeat details say the last outcome and slot in words, at least every 12 minutes',
    ].join('\n'),
  );
}

function formatStanding({ config, health, maintenance }: TimeState): string {
  if (config.paused) return 'paused';
  if (maintenance.current !== null) return `maintenance, ${health.health}`;
  return maintenance.isQuiet === true ? `outside of hours, ${health.health}` : health.health;
}

/** Describes what a timer waits for. Returns null if it waits for the next slot. */
export function wakeReason({ config, maintenance }: TimeState, untilMs: number): string | null {
  if (config.paused) return 'resumes';
  if (nextEdgeMs(maintenance) !== untilMs) return null;
  const isOfHours = maintenance.spans.some(
    ({ mode, fromMs, toMs }) => mode === 'quiet' && (fromMs === untilMs || toMs === untilMs),
  );
  if (isOfHours) return maintenance.isQuiet === true ? 'hours begin' : 'hours end';
  return maintenance.current === null ? 'maintenance begins' : 'maintenance ends';
}

/** Sends the attributes that differ from those on the server. */
export function publish(wanted: Keyword[]): void {
  const published = workflowInfo().typedSearchAttributes;
  const changed = wanted.filter(
    ({ key, value }) => JSON.stringify(published.get(key)) !== JSON.stringify(value),
  );
  if (changed.length > 0) upsertSearchAttributes(changed satisfies SearchAttributeUpdatePair[]);
}

/** Formats the time for summaries of timers, for example `12:04:30Z`. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(11, 19)}Z`;
}

/** Formats date and time, for example `2026-01-31 12:04:30Z`. */
export function formatInstant(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ').concat('Z');
}
