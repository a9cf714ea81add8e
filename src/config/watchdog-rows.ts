/** The settings of the watchdog: its URL, its interval, and the parts of the installation that its canary must pass. */
import { z } from 'zod';
import { WATCHDOG_PARTS, type WatchdogPlan } from '../contracts/operations/watchdog';
import { maskUrl } from '../domain/operations/watchdog';
import { defineSecretSetting, defineSetting } from './setting-row';
import { commaList, regionName } from './setting-shapes';
import { receiverUrl } from './url-shapes';

const SECONDS_MIN = 10;
const SECONDS_MAX = 86_400;
const PROBES = 'probes:';

const requirement = z
  .string()
  .refine(
    (text) =>
      WATCHDOG_PARTS.some((part) => part === text) ||
      (text.startsWith(PROBES) && regionName.safeParse(text.slice(PROBES.length)).success),
    `must be a list of ${WATCHDOG_PARTS.join(', ')} and ${PROBES}REGION, like checks,alerts,storage,probes:eu-west`,
  );

/**
 * The orchestrator reads these settings because it sends the canary. The API reads them to report problems that would
 * prevent the canary.
 */
const READ_BY = ['api', 'orchestrator'] as const;

export const WATCHDOG_ROWS = {
  KEEPWATCH_WATCHDOG_URL: defineSecretSetting(
    READ_BY,
    receiverUrl.optional(),
    '',
    'URL of a heartbeat outside this installation. It gets pings while checks run, are stored and can be reported. Otherwise URL/fail gets the reason. `keepwatch watchdog pair` creates a heartbeat at another Keepwatch. Empty: an outage of this installation is not noticed',
  ),
  KEEPWATCH_WATCHDOG_SECONDS: defineSetting(
    READ_BY,
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a whole number of seconds')
      .transform(Number)
      .refine(
        (seconds) => seconds >= SECONDS_MIN && seconds <= SECONDS_MAX,
        `must be from ${SECONDS_MIN} to ${SECONDS_MAX}`,
      )
      .default(60),
    '60',
    'seconds between two pings of the watchdog; use at least twice the time in which any part restarts',
  ),
  KEEPWATCH_WATCHDOG_REQUIRES: defineSetting(
    READ_BY,
    commaList.pipe(z.array(requirement).min(1)).default([...WATCHDOG_PARTS]),
    WATCHDOG_PARTS.join(','),
    'parts that must work. checks: a probe of each region in KEEPWATCH_REGIONS runs a canary check and reaches the API. probes:REGION: the same for this region only. alerts: a sender of alerts is running. storage: the database returns what was written',
  ),
};

interface WatchdogSettings {
  readonly KEEPWATCH_WATCHDOG_URL?: string | undefined;
  readonly KEEPWATCH_WATCHDOG_SECONDS: number;
  readonly KEEPWATCH_WATCHDOG_REQUIRES: readonly string[];
  readonly KEEPWATCH_REGIONS: readonly string[];
}

/** The watchdog's configuration, as it is passed to the processes of this installation. */
export interface WatchdogOptions {
  readonly url: string;
  /** The URL with masked secrets, for people and logs. */
  readonly maskedUrl: string;
  readonly requires: readonly string[];
  readonly everyMs: number;
  readonly plan: WatchdogPlan;
}

/** Returns the configuration of the watchdog. null means that no watchdog is configured. */
export function readWatchdog(settings: WatchdogSettings): WatchdogOptions | null {
  const { KEEPWATCH_WATCHDOG_URL: url, KEEPWATCH_WATCHDOG_REQUIRES: requires } = settings;
  if (url === undefined) return null;
  const named = requires.flatMap((part) =>
    part.startsWith(PROBES) ? [part.slice(PROBES.length)] : [],
  );
  const everyMs = settings.KEEPWATCH_WATCHDOG_SECONDS * 1_000;
  const configured = requires.includes('checks') ? settings.KEEPWATCH_REGIONS : [];
  return {
    url,
    maskedUrl: maskUrl(url),
    requires,
    everyMs,
    plan: {
      everyMs,
      regions: named.length > 0 ? [...new Set(named)] : configured,
      needsAlerts: requires.includes('alerts'),
      needsStorage: requires.includes('storage'),
    },
  };
}

interface OwnUrls {
  readonly PORT: number;
  readonly KEEPWATCH_PUBLIC_URL?: string | undefined;
  readonly KEEPWATCH_WATCHDOG_URL?: string | undefined;
}

/**
 * Returns a problem if the watchdog URL has the same origin as this installation, because an installation cannot notice
 * its own outage.
 */
export function findWatchdogProblems({
  PORT,
  KEEPWATCH_PUBLIC_URL: publicUrl = `http://localhost:${PORT}`,
  KEEPWATCH_WATCHDOG_URL: url,
}: OwnUrls): readonly string[] {
  if (url === undefined || new URL(url).origin !== new URL(publicUrl).origin) return [];
  return [
    'KEEPWATCH_WATCHDOG_URL is a heartbeat of this installation, which cannot notice its own outage: use one elsewhere, like those that `keepwatch watchdog pair` creates',
  ];
}
