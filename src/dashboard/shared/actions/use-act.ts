/**
 * Sends a change and says what came of it, also when the button that asked for it has left the page by
 * then, as the items of a menu and deleted rows do. Pages may show the change before the service responds.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiProblem, request } from '../data/api';
import { type Expected, type Showing, showExpected } from '../data/expected';
import { type Change, useRefresh } from '../data/queries';
import { keepFromReading } from '../data/read-again';
import { notify, notifyProblem } from '../ui/notify';

interface Outcome<T> {
  /** The sentence that says so; none where the page itself shows it. */
  readonly done?: string | ((value: T) => string);
  /** Shown at once; taken back when the change fails. */
  readonly expected?: Expected | undefined;
  /** What Undo beside the sentence does; undefined where nothing restores what was. */
  readonly undo?: (value: T) => (() => void) | undefined;
  /** Before pages read again. */
  readonly onDone?: (value: T) => void | Promise<void>;
  /** After pages have read again. */
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

/** Afterwards everything under `touches` is read again by whoever shows it. */
export function useAct<T = unknown>(touches: readonly string[]): Acting<T> {
  const client = useQueryClient();
  const refresh = useRefresh();
  // Only promises and options reach callers that are gone; callbacks of one call do not.
  const { mutateAsync, isPending } = useMutation<T, ApiProblem, Sent, Showing | undefined>({
    mutationFn: ({ change: { method, path, ...sent } }) => request<T>(method, path, sent),
    onMutate: ({ expected }) =>
      expected === undefined ? undefined : showExpected(client, touches, expected),
    onSuccess: (_value, _sent, showing) => showing?.end(),
    onError: (_problem, _sent, showing) => showing?.takeBack(),
    // One after another: a pause that is slow must not overtake the resume that follows it.
    scope: { id: touches.join(' ') },
    // Without a network it fails at once, and does not wait behind a page that shows it as done.
    networkMode: 'always',
  });
  const act = async (change: Change, outcome: Outcome<T>): Promise<void> => {
    const { done, expected, undo, onDone, onRefreshed } = outcome;
    const mayRead = change.method === 'DELETE' ? keepFromReading(change.path) : undefined;
    try {
      const value = await mutateAsync({ change, expected });
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
      notifyProblem(problem, () => attempt(change, outcome));
      void refresh(touches);
    });
  };
  return { act: attempt, isPending };
}
