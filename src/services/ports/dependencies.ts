/** Ports and settings that use cases receive as one object. */

import type { RegistrationMode } from '../../contracts/operations/registration';
import type { Plan } from '../../domain/accounts/plan';
import type { PasswordPolicy } from '../../domain/accounts/sign-in-provider';
import type { IdKind } from '../../domain/definitions/ids';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import type { ReadIdentityToken } from '../../platform/identity-tokens';
import type { RegionKeyrings } from '../../platform/region-keyrings';
import type { TextSealer } from '../../platform/sealing';
import type { Passkeys } from '../../platform/sign-in/passkeys';
import type { SignInProvider } from '../../platform/sign-in/provider';
import type { RunTextJob } from '../../text/text-task';
import type { ChangeFeed } from '../live/change-feed';
import type { RunWatch } from '../live/run-watch';
import type { WorkflowGateway } from './gateway';

/** Hashes passwords. Hashing is slow on purpose, and runs outside of the event loop. */
interface PasswordHasher {
  /** Returns a PHC string, which `verify` can check even after the parameters have changed. */
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (phc: string, password: string) => Promise<boolean>;
}

interface Sealers {
  /** Encrypts stored secrets. */
  readonly stored: TextSealer;
  /** Returns the sealer that encrypts secret values of runs for the probes of the region. */
  readonly runIn: (region: string) => TextSealer;
}

export interface Dependencies {
  readonly stores: Stores;
  readonly gateway: WorkflowGateway;
  readonly clock: Clock;
  readonly newId: (kind: IdKind) => string;
  /** Returns cryptographically strong random bytes. */
  readonly randomBytes: (count: number) => Buffer;
  readonly passwords: PasswordHasher;
  readonly sealers: Sealers;
  readonly regionKeyrings: RegionKeyrings;
  /** Processes untrusted text in worker threads. */
  readonly runTextJob: RunTextJob;
  readonly setupToken: string;
  /** Facts for the operators of the installation. */
  readonly installation: Installation;
  /** The external watchdog, which reports when this installation stops. null if there is no watchdog. */
  readonly watchdog: WatchdogView | null;
  /** The URL at which people reach the service, for links. */
  readonly publicUrl: string;
  /** Sends emails. null if no mail server is set. */
  readonly mailer: Mailer | null;
  /** Writes to the log of the service, for its operators. */
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
  /** True if the requests of API keys are counted and limited. */
  readonly areKeysLimited: boolean;
  readonly defaultPlan: Plan;
  /** Email addresses of operators in lower case. Empty means that the owners of the first account are the operators. */
  readonly operatorEmails: readonly string[];
  readonly registration: RegistrationMode;
  /** Regions that exist even if they have no probe. */
  readonly configuredRegions: readonly string[];
  /** Returns why a URL must not be requested, or null. Resolves no names. */
  readonly findBlockedTarget: (url: string) => string | null;
  /**
   * Names of the proxies that requests may use. null in the orchestrator, because the API has already checked the
   * names.
   */
  readonly proxyNames: readonly string[] | null;
  /** URLs of trusted issuers. CI runs may exchange the tokens of these issuers for API keys. */
  readonly pipelineIssuers: readonly string[];
  readonly readIdentityToken: ReadIdentityToken;
  readonly signIn: SignIn;
  /** Returns the URL of a workflow in the Temporal UI. null if no UI is set. */
  readonly workflowUrl: (workflowId: string, executionId?: string) => string | null;
  /** Reports changes to event streams. */
  readonly changeFeed: ChangeFeed;
  /** Waits until runs end. Used by long-poll requests. */
  readonly runWatch: RunWatch;
  /** Resolves after `ms`. It is a dependency so that tests need not wait. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** How people may sign in. */
export interface SignIn {
  readonly passwords: PasswordPolicy;
  readonly providers: readonly SignInProvider[];
  readonly passkeys: Passkeys;
}

export interface WatchdogView {
  readonly maskedUrl: string;
  readonly requires: readonly string[];
  readonly everyMs: number;
}

/** The process, and the database that it uses. */
export interface Installation {
  readonly version: string;
  readonly nodeVersion: string;
  /** The `host:port` under which this process reaches Temporal. */
  readonly temporalAddress: string;
  /** The data folder. null if the parts of the service run as separate processes. */
  readonly dataFolder: string | null;
  /** Returns the free disk space of the data folder. null if there is no data folder, or if the space is unknown. */
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
  /** Sends an email. Resolves when the mail server has accepted it, and throws otherwise. */
  readonly sendMail: (email: OutgoingEmail) => Promise<void>;
}
