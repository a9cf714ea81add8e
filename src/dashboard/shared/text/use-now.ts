/** The current time for all texts of a page. The texts share one clock, so that they never contradict each other. */
import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the same time in all components. The time is updated every ten seconds, and when a component is mounted. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, readNow);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(update, TICK_MS);
  update();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time. Updates it first if no timer does so. */
function readNow(): number {
  if (timer === undefined && isOld()) nowMs = Date.now();
  return nowMs;
}

function update(): void {
  if (!isOld()) return;
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

/** Components that are mounted together share one update. */
const SAME_MS = 500;

function isOld(): boolean {
  return Math.abs(Date.now() - nowMs) >= SAME_MS;
}
