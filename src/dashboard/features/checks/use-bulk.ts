/** Runs a bulk action on the selected checks. Offers Undo when a single action restores the previous state. */
import { useAct } from '../../shared/actions/use-act';
import type { BulkOutcome } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import {
  BULK_WORDS,
  type BulkAction,
  bulkSentence,
  expectBulk,
  type Unaddressed,
  undoBulk,
} from './bulk';
import type { Selection } from './use-selection';

interface Bulk {
  readonly act: (action: Unaddressed) => void;
  readonly isPending: boolean;
}

/** Calls `onSent` when it clears the selection: as soon as the action's effect is shown. */
export function useBulk(selection: Selection, onSent: () => void): Bulk {
  const change = useAct<BulkOutcome>([
    '/v1/monitors',
    '/v1/scenarios',
    '/v1/checks',
    '/v1/overview',
    '/v1/incidents',
  ]);
  const { checks = [] } = useChecks();
  const chosen = checks.filter(({ id }) => selection.ids.has(id));
  const clear = (): void => {
    onSent();
    selection.set([]);
  };
  const send = (action: BulkAction, isUndo: boolean): void => {
    const expected = expectBulk(action, chosen);
    change.act(
      { method: 'POST', path: '/v1/checks/bulk', body: action },
      {
        expected,
        done: (outcome) => bulkSentence(outcome, BULK_WORDS[action.action]),
        undo: (outcome) => {
          const back = isUndo ? null : undoBulk(action, chosen, outcome);
          return back === null ? undefined : () => send(back, true);
        },
        onDone: expected === undefined ? clear : () => undefined,
      },
    );
    if (expected !== undefined && !isUndo) clear();
  };
  return {
    act: (action) => send({ ...action, ids: [...selection.ids] }, false),
    isPending: change.isPending,
  };
}
