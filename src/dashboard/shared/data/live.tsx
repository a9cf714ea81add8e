/**
 * Receives changes over server-sent events and marks the affected data as old. Data on the screen is then read again.
 * While the stream is interrupted, visible pages read their data every 15 seconds.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { showDownCount } from '../text/tab-title';
import { get } from './api';
import type { Incident, ListedCheck, Page } from './api-types';
import { useAway } from './away';
import { ALL_CHECKS, CHECK_ROW, type LiveChange, readChange } from './live-change';
import { type Activity, createLiveUpdates, UNRESOLVED_INCIDENTS } from './live-updates';
import { useRead } from './queries';
import { readAgain } from './read-again';

/** How many rows the service returns by id in one request. If more have changed, all rows are read again. */
const IDS_MAX = 100;

/** Reads the rows of these paths again. */
function readRowsAgain(client: QueryClient, paths: readonly string[]): void {
  const ids = paths
    .filter((path) => path.startsWith(CHECK_ROW))
    .map((path) => path.slice(CHECK_ROW.length));
  const query = client.getQueryCache().find({ queryKey: [ALL_CHECKS] });
  if (ids.length === 0 || query === undefined) return;
  if (!query.isActive() || ids.length > IDS_MAX) {
    void client.invalidateQueries({ queryKey: [ALL_CHECKS] });
    return;
  }
  get<Page<ListedCheck>>(CHECK_ROW + ids.join(','))
    .then(({ data }) => {
      const fresh = new Map(data.map((check) => [check.id, check]));
      client.setQueryData<readonly ListedCheck[]>([ALL_CHECKS], (rows) =>
        rows?.map((row) => fresh.get(row.id) ?? row),
      );
    })
    // After a failure, the next change or poll reads the rows again.
    .catch(() => undefined);
}

const POLL_MS = 15_000;
/**
 * How often data is read while the service cannot be reached. The interval is short, so that pages recover soon after
 * the service does.
 */
const AWAY_POLL_MS = 5_000;

const LiveContext = createContext(false);

export function useIsLive(): boolean {
  return useContext(LiveContext);
}

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const isAway = useAway() !== null;
  const { data } = useRead<Page<Incident>>(UNRESOLVED_INCIDENTS);
  const down = data?.data.filter(({ state }) => state === 'open').length ?? 0;

  useEffect(() => showDownCount(down), [down]);

  useEffect(() => {
    const activity = watchActivity();
    const updates = createLiveUpdates({ client, activity, readRows: readRowsAgain });
    let wasLost = false;
    const end = followChanges({
      onOpen: () => {
        setIsLive(true);
        if (wasLost) updates.readAll();
        wasLost = false;
      },
      onLost: () => {
        setIsLive(false);
        wasLost = true;
      },
      onChange: updates.take,
    });
    return () => {
      end();
      updates.stop();
      activity.stop();
    };
  }, [client]);

  useEffect(() => {
    if (isLive && !isAway) return;
    const poll = setInterval(
      () => {
        if (document.visibilityState !== 'hidden') void readAgain(client, ['/v1/']);
      },
      isAway ? AWAY_POLL_MS : POLL_MS,
    );
    return () => clearInterval(poll);
  }, [isLive, isAway, client]);

  return <LiveContext value={isLive && !isAway}>{children}</LiveContext>;
}

const IN_USE_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus'] as const;

/** Observes whether the user is active. A page that has just been opened counts as in use. */
function watchActivity(): Activity & { readonly stop: () => void } {
  let lastInputAtMs = Date.now();
  const note = (): void => {
    lastInputAtMs = Date.now();
  };
  for (const input of INPUTS) window.addEventListener(input, note, { passive: true });
  return {
    isInUse: () => Date.now() - lastInputAtMs < IN_USE_MS,
    isHidden: () => document.visibilityState === 'hidden',
    stop: () => {
      for (const input of INPUTS) window.removeEventListener(input, note);
    },
  };
}

const REOPEN_MS = 5_000;

interface Listener {
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onChange: (change: LiveChange) => void;
}

/** Opens the stream of changes, and returns a function that closes it. */
function followChanges({ onOpen, onLost, onChange }: Listener): () => void {
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
