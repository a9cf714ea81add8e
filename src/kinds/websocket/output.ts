/** Formats the messages and the server's close frame of a WebSocket check. Pure. */
import type { JsonValue } from '../../contracts/definition';

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

const CLOSE_WORDS: Readonly<Record<number, string>> = {
  1000: 'normal closure',
  1001: 'going away',
  1002: 'protocol error',
  1003: 'unsupported data',
  1007: 'invalid data',
  1008: 'policy violation',
  1009: 'message too big',
  1011: 'internal error',
  1012: 'service restart',
  1013: 'try again later',
};

/** Formats a close frame, like `1008 (policy violation): no token`. */
export function describeClose({ code, reason }: Closed): string {
  const words = CLOSE_WORDS[code];
  const named = words === undefined ? String(code) : `${code} (${words})`;
  return reason === '' ? named : `${named}: ${reason}`;
}

interface Received {
  readonly messages: readonly string[];
  readonly closed: Closed | null;
}

/** Formats one line per message, and one for the server's close frame. */
export function describeMessages({ messages, closed }: Received): string {
  if (closed === null || closed.code === 1006) return messages.join('\n');
  return [...messages, `[closed: ${describeClose(closed)}]`].join('\n');
}

/** Builds the JSON from which steps extract values. */
export function buildFacts({ messages, closed }: Received): JsonValue {
  return { messages, closeCode: closed?.code ?? null };
}
