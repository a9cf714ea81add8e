/**
 * Sends a change and says what came of it, also when the button that asked for it has left the page by
 * then, as the items of a menu and deleted rows do.
 */
import { useMutation } from '@tanstack/react-query';
import { type ApiProblem, request } from '../data/api';
import { type Change, useRefresh } from '../data/queries';
import { notify, notifyProblem } from '../ui/notify';

interface Outcome<T> {
  /** The sentence that says so; none where the page itself shows it. */
  readonly done?: string | ((value: T) => string);
  /** Before pages read again. */
  readonly onDone?: (value: T) => void | Promise<void>;
  /** After pages have read again. */
  readonly onRefreshed?: () => void;
}

interface Acting<T> {
  readonly act: (change: Change, outcome: Outcome<T>) => void;
  readonly isPending: boolean;
}

/** Afterwards everything under `touches` is read again by whoever shows it. */
export function useAct<T = unknown>(touches: readonly string[]): Acting<T> {
  const refresh = useRefresh();
  // Only promises reach callers that are gone; callbacks of a mutation do not.
  const { mutateAsync, isPending } = useMutation<T, ApiProblem, Change>({
    mutationFn: ({ method, path, ...sent }) => request<T>(method, path, sent),
  });
  const act = async (change: Change, outcome: Outcome<T>): Promise<void> => {
    const { done, onDone, onRefreshed } = outcome;
    const value = await mutateAsync(change);
    if (done !== undefined) notify(typeof done === 'string' ? done : done(value));
    await onDone?.(value);
    await refresh(touches);
    onRefreshed?.();
  };
  const attempt: Acting<T>['act'] = (change, outcome) => {
    act(change, outcome).catch((problem: ApiProblem) => {
      notifyProblem(problem, () => attempt(change, outcome));
      void refresh(touches);
    });
  };
  return { act: attempt, isPending };
}
