/** What a form does with a file while it is read. What comes late must not undo what was done meanwhile. */
import { useLayoutEffect, useRef } from 'react';
import { notifyFailed } from '../ui/notify';

/** The promise of what the file holds; null: what is being read is no longer wanted. */
export type Read<Value> = (reading: Promise<Value> | null) => void;

/**
 * Hands what was read to `take` of the latest render: only of the newest file, and not once the component is gone. Says
 * so when a file cannot be read.
 */
export function useReading<Value>(take: (value: Value) => void): Read<Value> {
  const latest = useRef<((value: Value) => void) | null>(null);
  const newest = useRef<Promise<Value> | null>(null);
  useLayoutEffect(() => {
    latest.current = take;
    return () => {
      latest.current = null;
    };
  });
  return (reading) => {
    newest.current = reading;
    const isWanted = () => newest.current === reading && latest.current !== null;
    reading?.then(
      (value) => isWanted() && latest.current?.(value),
      () => isWanted() && notifyFailed('The file cannot be read. Choose it again.'),
    );
  };
}
