/** Reads a file into a form. If reading takes long, the content must not overwrite later changes. */
import { useLayoutEffect, useRef } from 'react';
import { notifyFailed } from '../ui/notify';

/** A function to which the caller passes the promise of the file's content. null cancels the reading. */
export type Read<Value> = (reading: Promise<Value> | null) => void;

/**
 * Passes the content of the newest file to `take`. Does nothing after the component is unmounted. Shows a notice if the
 * file cannot be read.
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
