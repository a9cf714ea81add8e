/** Parses the output of the system's `ping` on Linux (iputils, BusyBox), macOS and the BSDs. Pure. */

export interface Pinged {
  readonly sent: number;
  readonly received: number;
  /** Round-trip times in milliseconds, in the order of the replies. Duplicates are left out. */
  readonly timesMs: readonly number[];
}

const SUMMARY = /(\d+) packets transmitted, (\d+) (?:packets )?received/;
const LINE = /(?:icmp_)?seq=(\d+) .*time[=<](\d+(?:\.\d+)?) ?ms/;

/** Parses the output. null if it has no summary, because the result is unknown then. */
export function readPing(output: string): Pinged | null {
  const [, sent = '', received = ''] = SUMMARY.exec(output) ?? [];
  if (sent === '') return null;
  const times = new Map<string, number>();
  for (const line of output.split('\n')) {
    const [, sequence = '', time = ''] = LINE.exec(line) ?? [];
    if (sequence !== '' && !times.has(sequence)) times.set(sequence, Number(time));
  }
  return {
    sent: Number(sent),
    received: Math.min(Number(received), Number(sent)),
    timesMs: [...times.values()],
  };
}

/**
 * Returns the smallest value that is at least as large as `percent` percent of all values. null if there are no values.
 */
export function computePercentile(values: readonly number[], percent: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}
