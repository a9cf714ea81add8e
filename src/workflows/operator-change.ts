/**
 * Pauses and resumes that operators send from the engine's own tools: taken over at once, and told
 * to the database afterwards. Changes through the API never come this way.
 */
import type { ResourceKind } from '../contracts/definition';
import type { OperatorChange } from '../contracts/records';
import type { PauseNote } from '../contracts/workflows';
import type { TimeState } from './keep-time';
import { type Settling, settle } from './settle';

/** As many characters as the API takes. */
const REASON_MAX = 500;

/** What a running workflow holds, as far as it matters here. */
interface Told<State> extends Settling {
  state: State;
}

/** The state with the change to be told; a later one takes the place of an earlier one. */
export function withOperatorChange<State extends TimeState>(
  state: State,
  change: Omit<OperatorChange, 'reason'> & { readonly note: PauseNote | undefined | null },
): State {
  const { paused, atMs, note } = change;
  return { ...state, operatorChange: { paused, atMs, reason: paused ? reasonOf(note) : null } };
}

/**
 * True when there was something to tell. While an earlier record waits for the database it waits,
 * too; only what was done last is told then.
 */
export async function tellOperatorChange<State extends TimeState>(
  keeper: Told<State>,
  kind: ResourceKind,
): Promise<boolean> {
  const { operatorChange: change, config } = keeper.state;
  if (change === null || keeper.unsettled > 0) return false;
  const { accountId, id, version } = config;
  keeper.state = { ...keeper.state, operatorChange: null };
  await settle(keeper, async (hub) => {
    const answer = await hub.saveOperatorChange({ accountId, kind, id, version, change });
    noteVersion(keeper, version, answer.version);
    return answer;
  });
  return true;
}

/** The configuration in force is the saved one from now on, unless a newer one has come. */
function noteVersion<State extends TimeState>(
  keeper: Told<State>,
  told: number,
  saved: number | null,
): void {
  const { state } = keeper;
  if (saved === null || state.config.version !== told) return;
  keeper.state = { ...state, config: { ...state.config, version: saved } };
}

function reasonOf(note: PauseNote | undefined | null): string | null {
  const { by = '', reason = '' } = note ?? {};
  const said = by === '' ? reason : `${reason} (${by})`.trim();
  return said === '' ? null : said.slice(0, REASON_MAX);
}
