/**
 * Sends a change and reports its outcome, even if the button is no longer on the page. Pages may show the change before
 * the service responds.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiProblem, request } from '../data/api';
import { type Expected, type Showing, showExpected } from '../data/expected';
import { type Change, listTouched, useRefresh } from '../data/queries';
import { pauseReading } from '../data/read-again';
import { closeRefusal, notify, notifyProblem } from '../ui/notify';

interface Outcome<T> {
  /** The success message. If absent, no message is needed, because the page itself shows the success. */
  readonly done?: string | ((value: T) => string);
  /** The state that is shown at once. If the change fails, the previous state is shown again. */
  readonly expected?: Expected | undefined;
  /** The action of the Undo button. undefined if there is no undo. */
  readonly undo?: (value: T) => (() => void) | undefined;
  /** Called before pages read their data again. */
  readonly onDone?: (value: T) => void | Promise<void>;
  /** Called after pages have read their data again. */
  readonly onRefreshed?: () => void;
}

export type Act<T = unknown> = (change: Change, outcome: Outcome<T>) => void;

interface Acting<T> {
  readonly act: Act<T>;
  readonly isPending: boolean;
}

interface Sent {
  readonly change: Change;
  readonly expected: Expected | undefined;
}

/**
 * Returns functions that send changes. After a change, the data under `touches` is read again by the components that
 * show it.
 */
export function useAct<T = unknown>(touches: readonly string[]): Acting<T> {
  const client = useQueryClient();
  const refresh = useRefresh();
  // Promises and callbacks in the options of the hook still run after unmounting. Callbacks of a
  // single call would not.
  const { mutateAsync, isPending } = useMutation<T, ApiProblem, Sent, Showing | undefined>({
    mutationFn: ({ change: { method, path, ...sent } }) => request<T>(method, path, sent),
    onMutate: ({ expected }) =>
      expected === undefined ? undefined : showExpected(client, touches, expected),
    onSuccess: (_value, _sent, showing) => showing?.end(),
    onError: (_problem, _sent, showing) => showing?.restore(),
    // Changes are sent one after another. Otherwise, a slow pause might arrive after the resume
    // that followed it.
    scope: { id: touches.join(' ') },
    // Without a network, the change fails at once. Otherwise, the page would show the change as done while the request
    // waits.
    networkMode: 'always',
  });
  const act = async (change: Change, outcome: Outcome<T>): Promise<void> => {
    const { done, expected, undo, onDone, onRefreshed } = outcome;
    const mayRead = change.method === 'DELETE' ? pauseReading(change.path) : undefined;
    try {
      const value = await mutateAsync({ change, expected });
      closeRefusal(change.path);
      if (done !== undefined) notify(typeof done === 'string' ? done : done(value), undo?.(value));
      await onDone?.(value);
    } finally {
      mayRead?.();
    }
    await refresh(touches);
    onRefreshed?.();
  };
  const attempt: Act<T> = (change, outcome) => {
    act(change, outcome).catch((problem: ApiProblem) => {
      notifyProblem(problem, change.path, () => attempt(change, outcome));
      void refresh(listTouched(touches, problem));
    });
  };
  return { act: attempt, isPending };
}
