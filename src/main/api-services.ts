/** Composes the dependencies of the API's use cases. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingOptions } from '../checks/outgoing-options';
import { createTargetGuard, type TargetGuard } from '../checks/target-guard';
import { requireSetting, type SettingsFor } from '../config/settings';
import { readWatchdog } from '../config/watchdog-rows';
import { RUN_VALUE_PURPOSE, STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../domain/accounts/pipeline-claims';
import { createIdMaker } from '../domain/definitions/ids';
import { createSystemMailer } from '../notify/system-mail';
import type { Clock } from '../platform/clock';
import { createIdentityTokens } from '../platform/identity-tokens';
import type { Logger } from '../platform/logger';
import { argon2Passwords as passwords } from '../platform/passwords';
import { createTextSealer } from '../platform/sealing';
import { createPasskeys } from '../platform/sign-in/passkeys';
import { createProviders } from '../platform/sign-in/providers';
import { createChangeFeed } from '../services/live/change-feed';
import { createRunWatch } from '../services/live/run-watch';
import { createWorkflowUrls } from '../services/operations/workflow-url';
import type { Dependencies } from '../services/ports/dependencies';
import { createTextPool } from '../text/text-pool';
import { buildMailServer, buildOutgoingOptions } from './outgoing-options';

const SETUP_TOKEN_BYTES = 24;
/**
 * Maximum number of waiting tasks in the text pool: of all owners, and of one owner. 200 tasks are about a second of
 * work. Further requests are refused and not queued.
 */
const TEXTS_WAITING = { waitingMax: 200, waitingOfOwnerMax: 20 };

export function composeServices(
  settings: SettingsFor<'api'>,
  logger: Pick<Logger, 'warn'>,
  ports: Pick<
    Dependencies,
    'stores' | 'gateway' | 'installation' | 'regionKeyrings' | 'clock' | 'newId'
  >,
): Dependencies {
  const { TEMPORAL_UI_URL: uiUrl, KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  const mail = buildMailServer(settings);
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const { clock } = ports;
  const outgoing = buildOutgoingOptions(settings, [
    `:${settings.PORT}`,
    settings.TEMPORAL_ADDRESS,
    settings.TEMPORAL_UI_URL,
    settings.MONGODB_URI,
  ]);
  const guard = createTargetGuard(outgoing);
  return {
    ...ports,
    randomBytes,
    passwords,
    sealers: {
      stored: createTextSealer(secretKeys, STORED_SECRET_PURPOSE),
      runIn: (region) => createTextSealer(ports.regionKeyrings.readKeys(region), RUN_VALUE_PURPOSE),
    },
    runTextJob: createTextPool(TEXTS_WAITING).run,
    setupToken:
      settings.KEEPWATCH_SETUP_TOKEN ?? randomBytes(SETUP_TOKEN_BYTES).toString('base64url'),
    publicUrl,
    watchdog: readWatchdog(settings),
    mailer: mail === null ? null : createSystemMailer(mail, settings.MAIL_FROM),
    notifyOperator: (facts, sentence) => logger.warn(facts, sentence),
    areKeysLimited: settings.KEEPWATCH_RATE_LIMITS === 'on',
    defaultPlan: settings.KEEPWATCH_DEFAULT_PLAN,
    operatorEmails: settings.KEEPWATCH_OPERATOR_EMAIL,
    registration: settings.KEEPWATCH_REGISTRATION,
    configuredRegions: settings.KEEPWATCH_REGIONS,
    findBlockedTarget: guard.adviseOnUrl,
    pipelineIssuers: [GITHUB_ISSUER, GITLAB_ISSUER, ...settings.KEEPWATCH_PIPELINE_ISSUERS],
    readIdentityToken: createIdentityTokens({
      clock,
      authorities: outgoing.extraAuthorities ?? [],
    }),
    signIn: composeSignIn(settings, { clock, outgoing, guard }),
    proxyNames: settings.KEEPWATCH_PROXIES.map(({ name }) => name),
    workflowUrl: createWorkflowUrls({ uiUrl, publicUrl }, settings.TEMPORAL_NAMESPACE),
    changeFeed: createChangeFeed({
      changes: ports.stores.changes,
      clock,
      sleep: (ms) => sleep(ms),
      onTrouble: (err) => logger.warn({ err }, 'live changes wait for the database'),
    }),
    runWatch: createRunWatch({ runs: ports.stores.runs, clock, sleep: (ms) => sleep(ms) }),
    sleep: (ms) => sleep(ms),
  };
}

interface SignInNeeds {
  readonly clock: Clock;
  readonly outgoing: OutgoingOptions;
  readonly guard: TargetGuard;
}

function composeSignIn(
  settings: SettingsFor<'api'>,
  { clock, outgoing, guard }: SignInNeeds,
): Dependencies['signIn'] {
  const options = {
    clock,
    authorities: outgoing.extraAuthorities ?? [],
    refuseHost: guard.checkEndpoint,
  };
  return {
    passwords: settings.KEEPWATCH_PASSWORDS,
    providers: createProviders(settings.KEEPWATCH_SIGN_IN_PROVIDERS, options),
    passkeys: createPasskeys(settings.KEEPWATCH_PUBLIC_URL),
  };
}

/** Creates the generator of ids. A process has one generator, so that ids sort by creation. */
export const createIds = (clock: Clock) => createIdMaker(() => clock.now(), randomBytes);
