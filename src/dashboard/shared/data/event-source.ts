/**
 * The stream of changes, kept open: a browser takes up a lost connection by itself, but gives up when
 * the service refused it, as one that is starting does. Then it is opened again after some seconds.
 */
import { type LiveChange, readChange } from './live-change';

const REOPEN_MS = 5_000;

interface Listener {
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onChange: (change: LiveChange) => void;
}

/** Returns what ends it. */
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
