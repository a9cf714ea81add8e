/** Repeats something in the background while some work goes on. */

interface Repeated {
  readonly everyMs: number;
  /** Errors are ignored; the next repetition follows anyway. */
  readonly act: () => Promise<unknown>;
}

/** Resolves or rejects like the work. No repetition begins after the work has ended. */
export async function repeatWhile<Value>(
  { everyMs, act }: Repeated,
  work: () => Promise<Value>,
): Promise<Value> {
  const repeating = setInterval(() => void act().catch(() => undefined), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(repeating);
  }
}
