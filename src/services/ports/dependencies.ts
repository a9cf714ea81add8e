/** What use cases are given: ports and settings, as one object. Nothing here is global. */
import type { Plan } from '../../domain/accounts/plan';
import type { IdKind } from '../../domain/definitions/ids';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import type { ReadIdentityToken } from '../../platform/identity-tokens';
import type { RegionRings } from '../../platform/region-rings';
import type { TextSealer } from '../../platform/sealing';
import type { RunTexts } from '../../text/text-task';
import type { ChangeFeed } from '../live/change-feed';
import type { RunWatch } from '../live/run-watch';
import type { WorkflowGateway } from './gateway';

/** Slow on purpose, and away from the event loop. */
interface PasswordHasher {
  /** A PHC string that `verify` understands later, whatever the parameters are then. */
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (phc: string, password: string) => Promise<boolean>;
}

interface Sealers {
  /** For what is kept of secrets. */
  readonly stored: TextSealer;
  /** For secret values of runs on their way to the probes of their region. */
  readonly runIn: (region: string) => TextSealer;
}

export interface Dependencies {
  readonly stores: Stores;
  readonly gateway: WorkflowGateway;
  readonly clock: Clock;
  readonly newId: (kind: IdKind) => string;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Buffer;
  readonly passwords: PasswordHasher;
  readonly sealers: Sealers;
  readonly regionRings: RegionRings;
  /** Work on text of others, in worker threads. */
  readonly runTexts: RunTexts;
  readonly setupToken: string;
  /** For its owners. */
  readonly installation: Installation;
  /** Who notices outside when this installation stands still; null: none is set. */
  readonly watchdog: WatchdogView | null;
  /** Where people reach the service, for links. */
  readonly publicUrl: string;
  /** null: no mail server is set. */
  readonly mailer: Mailer | null;
  /** Writes to the log of the service, for whoever runs it. */
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
  /** False: requests of API keys are not counted. */
  readonly areKeysLimited: boolean;
  readonly defaultPlan: Plan;
  /** Regions that are known before their first probe says hello. */
  readonly configuredRegions: readonly string[];
  /** Why an address must not be reached, or null; looks at the text only, resolves nothing. */
  readonly findBlockedTarget: (url: string) => string | null;
  /** Those that requests may go through. */
  readonly proxyNames: readonly string[];
  /** URLs of those whose tokens let CI runs in. */
  readonly pipelineIssuers: readonly string[];
  readonly readIdentityToken: ReadIdentityToken;
  /** Address of a workflow in the Temporal UI, or null when there is none. */
  readonly workflowUrl: (workflowId: string) => string | null;
  /** For live pages. */
  readonly changeFeed: ChangeFeed;
  /** For long polls. */
  readonly runWatch: RunWatch;
  /** Resolves after the time; injected, so that long polls can be tested. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Of the settings of the watchdog, without its URL. */
export interface WatchdogView {
  readonly maskedUrl: string;
  readonly requires: readonly string[];
  readonly everyMs: number;
}

/** The process, and the database that it uses. */
export interface Installation {
  readonly version: string;
  readonly nodeVersion: string;
  /** `host:port`, as this process reaches it. */
  readonly temporalAddress: string;
  /** null where every part runs for itself. */
  readonly dataFolder: string | null;
  /** Room where the data folder is; null where there is none, or it can't be asked. */
  readonly readFreeBytes: () => Promise<number | null>;
  readonly describeDatabase: () => Promise<{
    readonly version: string;
    readonly isEmbedded: boolean;
  }>;
}

export interface OutgoingEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken it; throws otherwise. */
  readonly sendMail: (email: OutgoingEmail) => Promise<void>;
}
