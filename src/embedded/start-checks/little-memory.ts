/** Warns if the machine or the container has less memory than all-in-one needs. */
const MB = 1_000_000;
const NEEDED_BYTES = 512 * MB;
/**
 * The memory that all processes need together, measured with `npm run bench -- loads`, see docs/self-hosting.md#sizing.
 */
const MEASURED = 'about 400 MB when idle and 800 MB with 500 monitors every 20 s';

export interface Memory {
  /**
   * Limit of the container or control group. There is no limit if this is 0, or more than the memory of the machine.
   */
  readonly limitBytes: number;
  readonly machineBytes: number;
}

/** Returns one sentence for the operator. null if there is enough memory. */
export function warnOfLittleMemory({ limitBytes, machineBytes }: Memory): string | null {
  const isLimited = limitBytes > 0 && limitBytes < machineBytes;
  const bytes = isLimited ? limitBytes : machineBytes;
  if (bytes >= NEEDED_BYTES) return null;
  const where = isLimited ? 'The memory limit' : 'The memory of this machine';
  return (
    `Warning: ${where} is ${Math.floor(bytes / MB)} MB. Keepwatch needs ${MEASURED}, ` +
    'so the system may end its processes. Give it at least 512 MB.'
  );
}
