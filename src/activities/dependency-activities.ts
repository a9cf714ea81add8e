/**
 * Asks the workflows of monitors and scenarios for their health, on behalf of resources that depend on them.
 * Simultaneous callers share one request.
 */
import {
  type DependencyActivities,
  DOWN_HOLDS_MS,
  type HealthQuestion,
  type HealthReport,
} from '../contracts/dependencies';
import { createPendingReport } from '../domain/alerting/held-alerts';
import type { Clock } from '../platform/clock';
import { createLruCache } from '../platform/lru-cache';

/**
 * Time limit of one activity call. A resource that has not reported within this time counts as `pending`, and the
 * workflow calls the activity again.
 */
const WAIT_MS = 2_000;
/** Minimum time between two requests to the same resource. */
const PACE_MS = 1_000;
/** A report up to this age is returned without another request. */
const REPORT_HOLDS_MS = 1_000;
const KNOWN_MAX = 10_000;

export interface DependencyNeeds {
  /**
   * Asks the workflow of the resource for its health. null means that the workflow does not exist. Throws if it cannot
   * be asked.
   */
  readonly reportHealth: (id: string, question: HealthQuestion) => Promise<HealthReport | null>;
  readonly clock: Clock;
}

/** The last health report of a resource, and the request in progress. */
interface Asked {
  report: HealthReport | null;
  reportedAtMs: number;
  begunAtMs: number;
  /** The request in progress. Resolves to false if the resource could not be asked. */
  underWay: Promise<boolean> | null;
}

export function createDependencyActivities(needs: DependencyNeeds): DependencyActivities {
  const known = createLruCache<Asked>(KNOWN_MAX);
  const findAsked = (key: string): Asked => {
    const asked = known.get(key) ?? NEVER_ASKED();
    known.set(key, asked);
    return asked;
  };
  return {
    askDependencies: ({ ids, askerId: _asker, ...question }) =>
      Promise.all(
        ids.map((id) => ask(needs, { id, question }, findAsked(`${question.accountId} ${id}`))),
      ),
  };
}

const NEVER_ASKED = (): Asked => ({
  report: null,
  reportedAtMs: 0,
  begunAtMs: 0,
  underWay: null,
});

interface Asking {
  readonly id: string;
  readonly question: HealthQuestion;
}

async function ask(needs: DependencyNeeds, asking: Asking, asked: Asked): Promise<HealthReport> {
  const { clock } = needs;
  const { id, question } = asking;
  const askedAtMs = clock.now();
  const untilMs = askedAtMs + WAIT_MS;
  for (;;) {
    const { report, reportedAtMs } = asked;
    const isRecent = reportedAtMs >= askedAtMs - REPORT_HOLDS_MS;
    if (report !== null && isSatisfying(report, question, isRecent)) return report;
    const leftMs = untilMs - clock.now();
    if (leftMs <= 0) return createPendingReport(id);
    asked.underWay ??= begin(needs, asking, asked);
    if (!(await within(asked.underWay, leftMs))) return createPendingReport(id);
  }
}

/**
 * Asks the resource for its health and stores the report in `asked`. Resolves to false if the resource cannot be asked.
 * Never rejects.
 */
async function begin(
  { reportHealth, clock }: DependencyNeeds,
  { id, question }: Asking,
  asked: Asked,
): Promise<boolean> {
  const pauseMs = asked.begunAtMs + PACE_MS - clock.now();
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  asked.begunAtMs = clock.now();
  try {
    const report = await reportHealth(id, question);
    asked.report = report ?? { ...createPendingReport(id), standing: 'gone' };
    asked.reportedAtMs = clock.now();
    return true;
  } catch {
    return false;
  } finally {
    asked.underWay = null;
  }
}

function isSatisfying(
  { standing, checkedAtMs }: HealthReport,
  { sinceMs, wantsCheck }: HealthQuestion,
  isRecent: boolean,
): boolean {
  const isChecked = standing === 'up' || standing === 'down';
  if (!wantsCheck || !isChecked || checkedAtMs === null) return isRecent;
  return checkedAtMs >= (standing === 'down' ? sinceMs - DOWN_HOLDS_MS : sinceMs);
}

/** Resolves to the result of the work, or to false if the work takes longer than `ms`. */
async function within(work: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([work, late]);
  clearTimeout(timer);
  return isDone;
}
