/**
 * Asks before what was typed in a form is lost: by a link, by going back, by closing the form or the
 * tab. It never asks about a form that is as it was opened, and forms that were saved go on with
 * `ignoreBlocker`.
 */
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { confirm } from '../dialog/confirm';

export interface Unsaved {
  /** Does it at once, or after the question, or not at all. */
  readonly leave: (go: () => void) => void;
  /** A dialog below the question must not take the Escape that answers it. */
  readonly isAsking: boolean;
}

/** `content` is what the form holds; keys of rows do not count. */
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
    // The key that closed the question is still on its way to the dialog below.
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

/** To the page before this one; to `otherwise` for who came here first. */
export function useGoBack(otherwise: string): () => void {
  const router = useRouter();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void router.navigate({ to: otherwise });
  };
}
