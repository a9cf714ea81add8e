/** Finds out from the last request whether the service can be reached. */
import { type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem } from './api';
import { isUnreached } from './queries';

interface Away {
  /** When something was last read; null if nothing has been read yet. */
  readonly lastReadAtMs: number | null;
}

/** Returns when data was last read, while the service cannot be reached. null while requests succeed. */
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

/** True if the event shows that the service was reached, and false if it was not. null if the event shows neither. */
function reachedBy(event: QueryCacheNotifyEvent): boolean | null {
  if (event.type !== 'updated') return null;
  const { action } = event;
  if (action.type === 'success') return action.manual === true ? null : true;
  if (action.type !== 'failed' && action.type !== 'error') return null;
  // The service itself sends refusals, so it was reached.
  return !(action.error instanceof ApiProblem && isUnreached(action.error));
}
