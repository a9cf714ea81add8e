/**
 * Computes how many workflows a worker keeps in memory. The number must be high enough to avoid replays, and low enough
 * for the memory limit.
 */

const MIB = 1024 * 1024;
/** Memory of the process, the SDK and the bundle without any workflow. */
const BASE_BYTES = 300 * MIB;
/** Resident memory per workflow. With 500 monitors at 20 s, each workflow took 0.40 MB. */
const WORKFLOW_BYTES = 0.4 * MIB;
/** Share of the memory limit that workflows may use. The rest is for short-lived memory. */
const USED_OF_LIMIT = 0.65;
/** Share of the machine's memory that workflows may use if the process has no limit of its own. */
const USED_OF_MACHINE = 0.25;
const CACHED_MIN = 200;
const CACHED_MAX = 20_000;

export interface Memory {
  /** The limit of the container or control group. undefined if there is no real limit. */
  readonly limitBytes: number | undefined;
  readonly machineBytes: number;
}

/** Returns how many workflows fit into memory, from 200 to 20,000. */
export function computeCachedWorkflows({ limitBytes, machineBytes }: Memory): number {
  const isLimited = limitBytes !== undefined && limitBytes > 0 && limitBytes < machineBytes;
  const usable = isLimited ? limitBytes * USED_OF_LIMIT : machineBytes * USED_OF_MACHINE;
  const fitting = Math.floor((usable - BASE_BYTES) / WORKFLOW_BYTES);
  return Math.min(CACHED_MAX, Math.max(CACHED_MIN, fitting));
}
