/**
 * Keeps the stream of changes open. A browser reconnects automatically, but gives up if the service refuses, for
 * example while the service starts. This module then opens the stream again.
 */
import { type LiveChange, readChange } from './live-change';

const REOPEN_MS = 5_000;

interface Listener {
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onChange: (change: LiveChange) => void;
}

/** Returns a function that closes the stream. */
export function followChanges({ onOpen, onLost, onChange }: Listener): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource('/v1/events');
    source.addEventListener('open', onOpen);
    source.addEventListener('error', () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const change = readChange(data);
      if (change !== null) onChange(change);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
