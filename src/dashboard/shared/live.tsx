/**
 * Changes as they happen, over server-sent events: each one marks what it touches as old, so that only
 * what is on the screen is read again. While the stream is down, pages read again every 15 seconds, and
 * once when it is back.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Incident, Page } from './api-types';
import { type LiveChange, pathsOf, readChange } from './live-change';
import { isUnder, useRead } from './queries';
import { showDownCount } from './tab-title';

const POLL_MS = 15_000;
/** Changes that arrive together are read again together; single checks arrive all the time. */
const GATHER_MS = { check: 2_000, news: 300 } as const;
const OPEN_INCIDENTS = '/v1/incidents?state=open&limit=200';

const LiveContext = createContext(false);

export function useIsLive(): boolean {
  return useContext(LiveContext);
}

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const { data } = useRead<Page<Incident>>(OPEN_INCIDENTS);
  const down = data?.data.length ?? 0;

  useEffect(() => showDownCount(down), [down]);

  useEffect(() => {
    const readAgain = (paths: readonly string[]): void => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => isUnder(queryKey, paths) });
    };
    const gathered = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAtMs = Number.POSITIVE_INFINITY;
    const flush = (): void => {
      dueAtMs = Number.POSITIVE_INFINITY;
      readAgain([...gathered]);
      gathered.clear();
    };
    const take = (change: LiveChange): void => {
      for (const path of pathsOf(change)) gathered.add(path);
      const isCheck = change.kind === 'monitor' || change.kind === 'scenario';
      const wait = isCheck ? GATHER_MS.check : GATHER_MS.news;
      if (Date.now() + wait >= dueAtMs) return;
      clearTimeout(timer);
      dueAtMs = Date.now() + wait;
      timer = setTimeout(flush, wait);
    };
    const source = new EventSource('/v1/events');
    let wasLost = false;
    source.addEventListener('open', () => {
      setIsLive(true);
      if (wasLost) readAgain(['/v1/']);
      wasLost = false;
    });
    source.addEventListener('error', () => {
      setIsLive(false);
      wasLost = true;
    });
    source.addEventListener('change', ({ data: text }: MessageEvent<string>) => {
      const change = readChange(text);
      if (change !== null) take(change);
    });
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [client]);

  useEffect(() => {
    if (isLive) return;
    const poll = setInterval(() => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => isUnder(queryKey, ['/v1/']) });
    }, POLL_MS);
    return () => clearInterval(poll);
  }, [isLive, client]);

  return <LiveContext value={isLive}>{children}</LiveContext>;
}
