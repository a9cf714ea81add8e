/** Asks before changes in a form are lost. After a save, forms navigate with `ignoreBlocker`. */
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { confirm } from '../dialog/confirm';

export interface Unsaved {
  /** Calls `go` at once, or after the user has confirmed the question, or not at all. */
  readonly leave: (go: () => void) => void;
  /** True while the question is open. A dialog below must ignore the Escape that closes the question. */
  readonly isAsking: boolean;
}

/** Watches the content of a form for unsaved changes. Ignores the keys of rows. */
export function useUnsaved(content: unknown, isHalfTyped = false): Unsaved {
  const text = JSON.stringify(content, withoutRowIds);
  const [first] = useState(text);
  const [isAsking, setIsAsking] = useState(false);
  const isChanged = isHalfTyped || text !== first;
  const latest = useRef(isChanged);
  latest.current = isChanged;

  const mayLeave = async (): Promise<boolean> => {
    if (!latest.current) return true;
    setIsAsking(true);
    const confirmed = await ask();
    // Delayed, because the dialog below still receives the key event that closed the question.
    setTimeout(() => setIsAsking(false));
    return confirmed;
  };
  useBlocker({
    shouldBlockFn: async () => !(await mayLeave()),
    enableBeforeUnload: () => latest.current,
    disabled: !isChanged,
  });
  return {
    leave: (go) => {
      if (latest.current) void mayLeave().then((isLeaving) => isLeaving && go());
      else go();
    },
    isAsking,
  };
}

function withoutRowIds(key: string, value: unknown): unknown {
  return key === 'rowId' ? undefined : value;
}

function ask(): Promise<boolean> {
  return new Promise((resolve) => {
    confirm({
      title: 'Leave without saving?',
      text: 'Your changes are not saved.',
      action: 'Leave',
      otherwise: 'Keep editing',
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}

/** Goes to the previous page, or to `otherwise` if there is none. */
export function useGoBack(otherwise: string): () => void {
  const router = useRouter();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: otherwise });
  };
}
