/**
 * Slows down guessing of passwords and tokens. Counts tries per network and per target, across all API processes. Never
 * locks a person out: after wrong passwords, only the network that sent them has to wait, for at most a minute.
 */
import { createHash } from 'node:crypto';
import { computeWait, type LoginThrottleRule } from '../../domain/accounts/login-throttle-rule';
import type { FailedSignIns } from '../../models/accounts/failed-sign-ins';
import { listNetworks, type NetworkSize } from '../../platform/client-network';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** A counter of tries, such as failed sign-ins, and its rule. */
export interface ThrottleCounter {
  readonly id: string;
  readonly rule: LoginThrottleRule;
}

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const TRIES_MAX = 4;

/** The limit for attempts from one network at any target. */
const NETWORK: LoginThrottleRule = {
  freeTries: 20,
  firstWaitMs: 1_000,
  waitMaxMs: MINUTE_MS,
  forgetAfterMs: QUARTER_HOUR_MS,
};
const TIMES_THE_TRIES: Readonly<Record<NetworkSize, number>> = { one: 1, site: 3, large: 10 };
/** The limit for emails. Emails are counted for an hour, but no request has to wait longer than ten minutes. */
const MAILS: LoginThrottleRule = {
  freeTries: 50,
  firstWaitMs: MINUTE_MS,
  waitMaxMs: 10 * MINUTE_MS,
  forgetAfterMs: 60 * MINUTE_MS,
};
/** The limit for attempts from one network to sign in as one person. */
const PERSON_FROM_NETWORK: LoginThrottleRule = { ...NETWORK, freeTries: 5 };
const UNKNOWN_KEYS: LoginThrottleRule = { ...NETWORK, freeTries: 60, forgetAfterMs: MINUTE_MS };
/**
 * The limit for attempts from anywhere to sign in as one person. It only delays the response, so that other people's
 * wrong tries never lock the person out.
 */
const PERSON: LoginThrottleRule = { ...NETWORK, freeTries: 10, firstWaitMs: 100, waitMaxMs: 1_500 };

/** Returns the counters for sign-ins from the network of an IP address, in total and for one person. */
export function listLoginCounters(email: string, address: string): readonly ThrottleCounter[] {
  const [[, smallest] = ['one', address]] = listNetworks(address);
  return [
    ...listNetworkCounters(NETWORK, 'login', address),
    buildCounter(PERSON_FROM_NETWORK, ['login', smallest, email]),
  ];
}

/**
 * The limit for wrong codes of one person from anywhere. Codes are accepted only after the first factor, so strangers
 * cannot make the person wait.
 */
const CODES: LoginThrottleRule = {
  freeTries: 20,
  firstWaitMs: MINUTE_MS,
  waitMaxMs: 5 * MINUTE_MS,
  forgetAfterMs: 24 * 60 * MINUTE_MS,
};

/** Returns the counters for second factors of one person, from one network and from anywhere. */
export function listFactorCounters(personId: string, address: string): readonly ThrottleCounter[] {
  const [[, smallest] = ['one', address]] = listNetworks(address);
  return [
    buildCounter(PERSON_FROM_NETWORK, ['factor', smallest, personId]),
    buildCounter(CODES, ['factor', personId]),
  ];
}

/**
 * Returns the counters for sign-ins through identity providers, and for challenges of passkeys, from the network of an
 * IP address.
 */
export function listSignInStepCounters(address: string): readonly ThrottleCounter[] {
  return listNetworkCounters(UNKNOWN_KEYS, 'sign-in-step', address);
}

/** Returns the counters for tokens of links and of the setup, from the network of an IP address. */
export function listTokenCounters(address: string): readonly ThrottleCounter[] {
  return listNetworkCounters(NETWORK, 'token', address);
}

/** Returns the counters for requests for emails, from the network of an IP address. */
export function listEmailCounters(address: string): readonly ThrottleCounter[] {
  return listNetworkCounters(PERSON_FROM_NETWORK, 'email', address);
}

/**
 * Returns the counters for emails that an account sends to recipients of its choice: one counter for all recipients,
 * and one for the given recipient.
 */
export function listMailCounters(accountId: string, recipient: string): readonly ThrottleCounter[] {
  return [
    buildCounter(MAILS, ['mail', accountId]),
    buildCounter({ ...MAILS, freeTries: 5 }, ['mail', accountId, recipient]),
  ];
}

/** Returns the counters for sign-ups to status pages from one network. */
export function listSignUpCounters(clientIp: string): readonly ThrottleCounter[] {
  return listNetworkCounters(PERSON_FROM_NETWORK, 'sign-up', clientIp);
}

/** Returns the counter for emails that sign-ups to a status page send to one recipient, from any client. */
export function listSignUpMailCounters(
  pageId: string,
  recipient: string,
): readonly ThrottleCounter[] {
  return [buildCounter({ ...MAILS, freeTries: 2 }, ['sign-up', pageId, recipient])];
}

/** Returns the counters for requests with API keys that are well-formed but do not exist. */
export function listUnknownKeyCounters(address: string): readonly ThrottleCounter[] {
  return listNetworkCounters(UNKNOWN_KEYS, 'key', address);
}

/** Endpoints outside of `/v1` that have their own secret for authentication. */
export type UnprovenWay = 'hook' | 'metrics' | 'ping' | 'probe';

/**
 * Returns the counters for requests that fail to authenticate at the endpoint `what`, from the network of an IP
 * address.
 */
export function listUnprovenCounters(
  what: UnprovenWay,
  address: string,
): readonly ThrottleCounter[] {
  return listNetworkCounters(UNKNOWN_KEYS, what, address);
}

interface Once {
  readonly parts: readonly string[];
  readonly forgetAfterMs: number;
}

/**
 * Does the work at most once per `parts` within `forgetAfterMs`, even if callers run in parallel. Work that fails does
 * not count.
 */
export async function runOnce(
  { stores: { failedSignIns }, clock }: Needs,
  { parts, forgetAfterMs }: Once,
  work: () => Promise<void>,
): Promise<void> {
  const { id } = buildCounter(NETWORK, parts);
  const nowMs = clock.now();
  const expiresAtMs = nowMs + forgetAfterMs;
  const stored = await failedSignIns.find(id);
  if (stored !== null && stored.tries > 0 && stored.expiresAtMs > nowMs) return;
  if (!(await failedSignIns.replace({ id, tries: 1, notBeforeMs: 0, expiresAtMs }, stored))) return;
  try {
    await work();
  } catch (error) {
    await failedSignIns.forgive(id);
    throw error;
  }
}

/**
 * Returns one counter for each network that contains the IP address, from the smallest to the largest. One IPv6 user
 * may own 65,536 small networks. The counters of the larger networks limit this user to a few times the tries of one
 * network.
 */
function listNetworkCounters(
  rule: LoginThrottleRule,
  what: string,
  address: string,
): readonly ThrottleCounter[] {
  return listNetworks(address).map(([size, network]) => {
    const freeTries = rule.freeTries * TIMES_THE_TRIES[size];
    return buildCounter({ ...rule, freeTries }, [what, network]);
  });
}

/**
 * Returns true at most once a minute per person, counting all clients. If it returns false, no link to reset the
 * password may be sent.
 */
export async function mayReset({ stores, clock }: Needs, personId: string): Promise<boolean> {
  const { id } = buildCounter(NETWORK, ['reset', personId]);
  const nowMs = clock.now();
  const stored = await stores.failedSignIns.find(id);
  if (stored !== null && stored.notBeforeMs > nowMs) return false;
  const againMs = nowMs + MINUTE_MS;
  return stores.failedSignIns.replace(
    { id, tries: 1, notBeforeMs: againMs, expiresAtMs: againMs },
    stored,
  );
}

/** Counts one try in each of the counters, in order. Throws `rate_limited` as soon as a counter requires a wait. */
export async function takeTries(needs: Needs, marks: readonly ThrottleCounter[]): Promise<void> {
  for (const mark of marks) await takeTry(needs, mark);
}

/** Counts the work as one try in each counter. The try stays counted only if the work throws `invalid_token`. */
export async function runThrottled<Value>(
  needs: Needs,
  marks: readonly ThrottleCounter[],
  work: () => Promise<Value>,
): Promise<Value> {
  await takeTries(needs, marks);
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = error instanceof AppError && error.code === 'invalid_token';
    throw error;
  } finally {
    if (!isWrong) await Promise.all(marks.map(({ id }) => needs.stores.failedSignIns.forgive(id)));
  }
}

/**
 * Counts one try. Throws `rate_limited` with the time to wait. After the free tries are used up, only one of several
 * parallel tries is admitted.
 */
async function takeTry({ stores, clock }: Needs, { id, rule }: ThrottleCounter): Promise<void> {
  const { freeTries, firstWaitMs, forgetAfterMs } = rule;
  const nowMs = clock.now();
  const expiresAtMs = nowMs + forgetAfterMs;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const free = { freeTries, nowMs, expiresAtMs };
    if ((await stores.failedSignIns.countFree(id, free)) !== null) return;
    const stored = await stores.failedSignIns.find(id);
    if (stored !== null && stored.notBeforeMs > nowMs) throw tooMany(stored.notBeforeMs - nowMs);
    const next = nextRecord({ id, rule }, stored, nowMs);
    if (await stores.failedSignIns.replace(next, stored)) return;
  }
  throw tooMany(firstWaitMs);
}

/** Delays the response to a wrong password of a person or page. */
export async function delayResponse(
  needs: Needs & Pick<Dependencies, 'sleep'>,
  email: string,
): Promise<void> {
  const { id, rule } = buildCounter(PERSON, ['person', email]);
  const nowMs = needs.clock.now();
  const free = { freeTries: Number.MAX_SAFE_INTEGER, nowMs };
  const expiresAtMs = nowMs + rule.forgetAfterMs;
  const counted = await needs.stores.failedSignIns.countFree(id, { ...free, expiresAtMs });
  if (counted !== null) {
    const waitMs = computeWait(rule, counted.tries - 1);
    if (waitMs > 0) await needs.sleep(waitMs);
    return;
  }
  const stored = await needs.stores.failedSignIns.find(id);
  await needs.stores.failedSignIns.replace({ id, tries: 1, notBeforeMs: 0, expiresAtMs }, stored);
}

function nextRecord(
  { id, rule }: ThrottleCounter,
  stored: FailedSignIns | null,
  nowMs: number,
): FailedSignIns {
  const expiresAtMs = nowMs + rule.forgetAfterMs;
  if (stored === null || stored.expiresAtMs <= nowMs)
    return { id, tries: 1, notBeforeMs: 0, expiresAtMs };
  const tries = stored.tries + 1;
  return { id, tries, notBeforeMs: nowMs + computeWait(rule, tries), expiresAtMs };
}

function tooMany(waitMs: number): AppError {
  return new AppError('rate_limited', 'Too many attempts. Wait a little and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

/**
 * Builds a counter. The id of the counter is a hash, because the parts contain personal data such as email addresses.
 */
function buildCounter(rule: LoginThrottleRule, parts: readonly string[]): ThrottleCounter {
  return { rule, id: createHash('sha256').update(JSON.stringify(parts)).digest('base64url') };
}
