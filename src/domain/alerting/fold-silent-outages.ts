/**
 * Shortens the explanation of an incident that flapped. Consecutive outages without notifications share one sentence.
 * Pure.
 */
import type { ExplainedIncident, Explanation } from './explain-incident';

interface ExplainedOutage {
  /** The sentences in chronological order. */
  readonly sentences: readonly Explanation[];
  /** True means that the outage has ended, and nothing was sent because the check was flapping. */
  readonly isSilent: boolean;
}

/** True if an outage needs no other explanation than that the check was flapping. */
export function isSilentOutage({
  closedAtMs,
  decisions = [],
  answers,
  deliveries,
  escalation = [],
}: ExplainedIncident): boolean {
  if (closedAtMs === null || decisions.length === 0) return false;
  if (answers.length + deliveries.length + escalation.length > 0) return false;
  return decisions.every(({ reason }) => reason === 'flapping' || reason === 'recovery_flapping');
}

/** Shortens the explanations. `outages` are in chronological order. A single silent outage keeps its sentences. */
export function foldSilentOutages(outages: readonly ExplainedOutage[]): readonly Explanation[] {
  const folded: Explanation[] = [];
  let silent: ExplainedOutage[] = [];
  const flush = (): void => {
    folded.push(...(silent.length > 1 ? summarize(silent) : silent.flatMap(readSentences)));
    silent = [];
  };
  for (const outage of outages) {
    if (outage.isSilent) silent.push(outage);
    else {
      flush();
      folded.push(...outage.sentences);
    }
  }
  flush();
  return folded.toSorted((a, b) => a.atMs - b.atMs);
}

function readSentences({ sentences }: ExplainedOutage): readonly Explanation[] {
  return sentences;
}

function summarize(silent: readonly ExplainedOutage[]): readonly Explanation[] {
  const [first] = silent.flatMap(readSentences);
  if (first === undefined) return [];
  const text = `Alerts were paused while it was flapping: ${silent.length} outages sent nothing.`;
  return [{ atMs: first.atMs, topic: 'flapping', text, decision: 'flapping' }];
}
