/**
 * Resumes escalations that Temporal has lost, from their last state in the database. Never starts an escalation that
 * Temporal knows.
 */
import type { EscalationRecord } from '../../contracts/escalation';
import type { ReconcileSource } from '../../models/operations/reconcile-source';
import { interleave, runAtPace } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import type { ReconcileGateway } from './reconcile-gateway';

/**
 * An escalation must be at least this old to count as lost, because Temporal lists new workflows with a small delay.
 */
const BEGUN_BEFORE_MS = 10_000;
const PAGE_SIZE = 200;
const PACE = { perSecond: 20, atOnce: 8 };

interface LostEscalationNeeds extends Pick<Dependencies, 'stores' | 'clock' | 'sleep'> {
  readonly source: ReconcileSource;
  readonly temporal: ReconcileGateway;
}

/**
 * Resumes lost escalations, each at most once. Returns their number. Throws if Temporal or the database is unavailable.
 * Safe to repeat.
 */
export async function resumeLostEscalations(
  needs: LostEscalationNeeds,
  signal: AbortSignal,
): Promise<number> {
  const { temporal, stores, sleep } = needs;
  const lost = await findLost(needs, signal);
  let resumed = 0;
  const ordered = interleave(lost, ({ accountId }) => accountId);
  await runAtPace(ordered, { ...PACE, sleep, signal }, async (record) => {
    const { accountId, incidentId } = record;
    if (await temporal.restoreEscalation(record)) {
      resumed += 1;
      return;
    }
    // The escalation may be running but not listed yet. It may also have ended without updating the database.
    const incident = await stores.incidents.find(accountId, incidentId);
    if ((incident?.closedAtMs ?? null) !== null)
      await stores.escalations.save(accountId, ended(record));
  });
  return resumed;
}

async function findLost(
  { source, temporal, clock }: LostEscalationNeeds,
  signal: AbortSignal,
): Promise<readonly EscalationRecord[]> {
  const known: EscalationRecord[] = [];
  for (;;) {
    signal.throwIfAborted();
    const afterId = known.at(-1)?.incidentId ?? '';
    const page = await source.listOpenEscalations({ afterId, limit: PAGE_SIZE });
    known.push(...page);
    if (page.length < PAGE_SIZE) break;
  }
  const begunBeforeMs = clock.now() - BEGUN_BEFORE_MS;
  const finished = known.filter(({ state }) => state.startedAtMs < begunBeforeMs);
  if (finished.length === 0) return [];
  const open = new Set((await temporal.listOpen('escalation')).map(({ id }) => id));
  return finished.filter(({ incidentId }) => !open.has(incidentId));
}

function ended({ state, ...record }: EscalationRecord): EscalationRecord {
  return { ...record, state: { ...state, isOver: true, sequence: (state.sequence ?? 0) + 1 } };
}
