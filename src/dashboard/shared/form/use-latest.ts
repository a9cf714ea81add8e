/** What a form does with an answer that comes later, like a file that was read. It must not undo what was typed meanwhile. */
import { useLayoutEffect, useRef } from 'react';

/** Calls what the latest render gave; does nothing once the component is gone. */
export function useLatest<Value>(run: (value: Value) => void): (value: Value) => void {
  const latest = useRef<((value: Value) => void) | null>(null);
  useLayoutEffect(() => {
    latest.current = run;
    return () => {
      latest.current = null;
    };
  });
  return (value) => latest.current?.(value);
}
