/**
 * The busy account of the benchmark `neighbours`, in a separate process. It edits, exports and floods the API until its
 * parent process sends `stop`. Then it sends back how many responses had each status, and ends.
 */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BusyOptions {
  readonly url: string;
  readonly cookie: string;
  readonly keys: readonly string[];
  readonly monitorIds: readonly string[];
  /**
   * If true, a connection retries at once after each 429 and 503. If false, it ignores the first few refusals in a row
   * and then waits for the time in `Retry-After`.
   */
  readonly isHarsh: boolean;
}

export type Statuses = Readonly<Record<string, number>>;

const FLOOD_CONNECTIONS = 100;
/** The number of refusals in a row that a connection ignores. It then waits for the time in `Retry-After`. */
const REFUSALS_IGNORED = 3;

const statuses: Record<string, number> = {};
let isOver = false;

/** Sends the request. Returns null if it succeeds, and otherwise how many seconds to wait. */
async function send(
  { url, cookie }: BusyOptions,
  path: string,
  init: RequestInit = { headers: { cookie, origin: url } },
): Promise<number | null> {
  const response = await fetch(`${url}${path}`, init).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  const status = response?.status ?? 0;
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (response === null) return 1;
  return response.ok ? null : Number(response.headers.get('retry-after') ?? 1);
}

async function repeat(
  { isHarsh }: BusyOptions,
  one: (round: number) => Promise<number | null>,
): Promise<void> {
  let refusals = 0;
  for (let round = 0; !isOver; round += 1) {
    const waitSeconds = await one(round);
    refusals = waitSeconds === null ? 0 : refusals + 1;
    if (isHarsh || waitSeconds === null || refusals <= REFUSALS_IGNORED) continue;
    await sleep(waitSeconds * 1_000);
    refusals = 0;
  }
}

function edit(options: BusyOptions, index: number): Promise<number | null> {
  const { url, cookie, monitorIds } = options;
  const headers = { cookie, origin: url, 'content-type': 'application/json' };
  const body = JSON.stringify({ failuresBeforeDown: 1 + (index % 3) });
  const path = `/v1/monitors/${monitorIds[index % monitorIds.length]}`;
  return send(options, path, { method: 'PATCH', headers, body });
}

function misbehave(options: BusyOptions): void {
  const { keys } = options;
  for (const offset of [0, 1]) void repeat(options, (round) => edit(options, round * 2 + offset));
  void repeat(options, () => send(options, '/v1/export'));
  for (let index = 0; index < FLOOD_CONNECTIONS; index += 1) {
    const headers = { authorization: `Bearer ${keys[index % keys.length]}` };
    void repeat(options, () => send(options, '/v1/monitors?limit=200', { headers }));
  }
}

async function main(): Promise<void> {
  // The clients of a real account run on other machines. Here they get only the CPU that the service leaves.
  setPriority(constants.priority.PRIORITY_LOW);
  const [options]: BusyOptions[] = await once(process, 'message');
  if (options === undefined) throw new Error('the parent process sent no options');
  const stopped = once(process, 'message');
  misbehave(options);
  await stopped;
  isOver = true;
  process.send?.(statuses, () => process.exit(0));
}

void main();
