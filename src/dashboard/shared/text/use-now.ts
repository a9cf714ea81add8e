/** Returns the current time, updated every ten seconds. */
import { useEffect, useState } from 'react';

const TICK_MS = 10_000;

export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
