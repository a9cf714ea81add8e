/**
 * Runs one ping with the system's `ping`, because only that program may send ICMP. No shell is used. The arguments are
 * fixed, except for numbers and an IP address that the target guard has checked. If `ping` cannot be used, the result
 * is unknown.
 */
import { spawn } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { findAddress } from '../../checks/open-connection';
import { readErrorCode, StepFailure } from '../../checks/step-failure';
import type { JsonValue } from '../../contracts/definition';
import type { PingSettings } from '../../contracts/kinds';
import type { AssertionOutcome } from '../../contracts/outcome';
import { judge } from '../judge';
import type { Probing } from '../probing';
import { computePercentile, type Pinged, readPing } from './output';

/** Seconds between packets. It is the minimum for users without special rights. */
const PACKETS_APART = '0.2';
/** Time between the end of the wait for the last packet and the deadline. */
const SPARE_SECONDS = 0.2;
const OUTPUT_LENGTH_MAX = 16 * 1024;
const AT_MOST = { type: 'timing', operator: 'lessThanOrEqual' } as const;

type RunPing = (settings: PingSettings, probing: Probing) => Promise<void>;

interface PingNeeds {
  /** Folders that are searched for the program, as in PATH. */
  readonly programPath: string;
}

export function createRunPing({ programPath }: PingNeeds): RunPing {
  return (settings, probing) => runPing(settings, probing, programPath);
}

async function runPing(
  settings: PingSettings,
  probing: Probing,
  programPath: string,
): Promise<void> {
  const { clock, connection, found } = probing;
  const { host } = settings;
  const problem = connection.guard.checkEndpoint(host, 0);
  if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  const address = await findAddress({ host, port: 0 }, connection, probing);
  clock.enter('ttfb');
  const output = await ping(argumentsFor(address, settings, probing), probing, programPath);
  const pinged = readPing(output.text);
  if (pinged === null || (pinged.received === 0 && mayNotSend(output))) throw notPossible(output);
  found.remoteIp = address;
  found.response = output.text;
  found.bytes = Buffer.byteLength(output.text);
  found.measuredMs = computeMean(pinged.timesMs);
  found.facts = describePing(pinged);
  found.assertions = judgePing(pinged, settings);
  if (pinged.received > 0) return;
  const message = `None of ${pinged.sent} packets came back.`;
  throw new StepFailure('timeout', message, 'ttfb');
}

interface Output {
  readonly text: string;
  readonly complaint: string;
}

/**
 * Returns the arguments. `ping` ends shortly before the deadline, with the replies that it has received by then. The
 * timeout covers only the wait for the last packet. With a total timeout, iputils would ignore the count and send until
 * the timeout.
 */
function argumentsFor(address: string, { count }: PingSettings, { deadline }: Probing): string[] {
  const sendingSeconds = (count - 1) * Number(PACKETS_APART);
  const spareSeconds = deadline.remainingMs() / 1_000 - sendingSeconds - SPARE_SECONDS;
  const seconds = Math.max(1, Math.floor(spareSeconds));
  const family = isIPv6(address) ? ['-6'] : [];
  return [...family, '-c', String(count), '-i', PACKETS_APART, '-W', String(seconds), address];
}

async function ping(
  given: readonly string[],
  { deadline }: Probing,
  programPath: string,
): Promise<Output> {
  const program = spawn('ping', given, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: programPath, LC_ALL: 'C' },
  });
  const ended = new Promise<Output>((resolve, reject) => {
    let text = '';
    let complaint = '';
    // The listener is attached first, because a program that fails to start may have no output
    // streams.
    program.once('error', (error) => reject(unusable(error)));
    program.once('close', () => resolve({ text, complaint }));
    // Only the end of the output is kept, because it contains the summary.
    program.stdout?.on('data', (piece: Buffer) => {
      text = (text + piece.toString('latin1')).slice(-OUTPUT_LENGTH_MAX);
    });
    program.stderr?.on('data', (piece: Buffer) => {
      complaint = (complaint + piece.toString('latin1')).slice(-OUTPUT_LENGTH_MAX);
    });
  });
  return deadline
    .within(ended, () => program.kill('SIGKILL'))
    .catch((error: unknown) => {
      // A working `ping` reports before the deadline, even without replies. If the deadline passes, `ping` does not
      // work here.
      if (error instanceof StepFailure && error.failure.code === 'timeout')
        throw notPossible({ text: '', complaint: '' });
      throw error;
    });
}

function unusable(error: unknown): StepFailure {
  const message =
    readErrorCode(error) === 'ENOENT'
      ? 'The ping program is not installed on the probe, so the host could not be checked.'
      : 'The ping program cannot be started on the probe, so the host could not be checked.';
  return new StepFailure('not_possible_here', message, null);
}

function mayNotSend({ complaint }: Output): boolean {
  return /not permitted|permission denied|are you root/i.test(complaint);
}

/**
 * Returns the failure for a `ping` that sent nothing: the host is unreachable, or `ping` lacks permission or does not
 * know these arguments.
 */
function notPossible(output: Output): StepFailure {
  const { complaint } = output;
  const isUnreachable = /unreachable|no route/i.test(complaint);
  if (isUnreachable)
    return new StepFailure('connection_refused', 'The host is unreachable.', 'connect');
  const reason = mayNotSend(output)
    ? 'is not allowed to send packets'
    : 'did not report what it sent';
  const message = `The ping program of the probe ${reason}, so the host could not be checked.`;
  return new StepFailure('not_possible_here', message, null);
}

function computeMean(timesMs: readonly number[]): number | null {
  if (timesMs.length === 0) return null;
  const mean = timesMs.reduce((sum, ms) => sum + ms, 0) / timesMs.length;
  return Math.round(mean * 100) / 100;
}

function computeLoss({ sent, received }: Pinged): number {
  return sent === 0 ? 100 : Math.round(((sent - received) / sent) * 100);
}

function describePing(pinged: Pinged): JsonValue {
  const { sent, received, timesMs } = pinged;
  const times = { meanMs: computeMean(timesMs), p95Ms: computePercentile(timesMs, 95) };
  return { sent, received, lossPercent: computeLoss(pinged), ...times };
}

function judgePing(pinged: Pinged, settings: PingSettings): AssertionOutcome[] {
  const { received, timesMs } = pinged;
  const { lossPercent, p95Ms } = settings;
  const loss = computeLoss(pinged);
  const lost = judge({
    ...AT_MOST,
    target: 'loss',
    ok: loss <= lossPercent && received > 0,
    actual: loss,
    expected: lossPercent,
    message: `${loss}% of the packets were lost.`,
  });
  if (p95Ms === null) return [lost];
  const p95 = computePercentile(timesMs, 95);
  const late = judge({
    ...AT_MOST,
    target: 'p95',
    ok: p95 !== null && p95 <= p95Ms,
    actual: p95,
    expected: p95Ms,
    message: `95% of the packets came back within ${p95 ?? '–'} ms.`,
  });
  return [lost, late];
}
