/**
 * Receives changes over server-sent events and marks the affected data as old, so data on the screen is read again.
 * While the stream is down, visible pages read their data every 15 seconds.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { showDownCount } from '../text/tab-title';
import { watchActivity } from './activity';
import type { Incident, Page } from './api-types';
import { useAway } from './away';
import { readRowsAgain } from './check-rows';
import { followChanges } from './event-source';
import { createLiveUpdates, UNRESOLVED_INCIDENTS } from './live-updates';
import { useRead } from './queries';
import { readAgain } from './read-again';

const POLL_MS = 15_000;
/** Short, so that pages recover soon after the service does. */
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
