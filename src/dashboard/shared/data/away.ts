/** Whether the service can be reached, as the last request found it. It asks nothing itself. */
import { type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem } from './api';
import { isUnreached } from './queries';

interface Away {
  /** When something was last read; null when nothing was yet. */
  readonly lastReadAtMs: number | null;
}

/** null while requests succeed. */
export function useAway(): Away | null {
  const client = useQueryClient();
  const [isAway, setIsAway] = useState(false);
  const [lastReadAtMs, setLastReadAtMs] = useState<number | null>(null);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        const found = reachedBy(event);
        if (found === null) return;
        setIsAway(!found);
        if (found) setLastReadAtMs(Date.now());
      }),
    [client],
  );
  return isAway ? { lastReadAtMs } : null;
}

/** null: the event says nothing of it. */
function reachedBy(event: QueryCacheNotifyEvent): boolean | null {
  if (event.type !== 'updated') return null;
  const { action } = event;
  if (action.type === 'success') return action.manual === true ? null : true;
  if (action.type !== 'failed' && action.type !== 'error') return null;
  // A refusal is an answer, too.
  return !(action.error instanceof ApiProblem && isUnreached(action.error));
}
