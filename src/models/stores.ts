/** Creates all stores that use cases need. */
import { type Clock, systemClock } from '../platform/clock';
import { createAccountStore } from './accounts/accounts';
import { createApiKeyStore } from './accounts/api-keys';
import { createAuditStore } from './accounts/audit';
import { createFailedSignInStore } from './accounts/failed-sign-ins';
import { createInvitationStore } from './accounts/invitations';
import { createPasswordTokenStore } from './accounts/password-tokens';
import { createPersonStore } from './accounts/people';
import { createPipelineStore } from './accounts/pipelines';
import { createQuotaStore } from './accounts/quotas';
import { createRegistrationStore } from './accounts/registrations';
import { createSessionStore } from './accounts/sessions';
import { createUserStore } from './accounts/users';
import { createAlertBurstStore } from './alerting/alert-bursts';
import { createAlertChannelStore } from './alerting/alert-channels';
import { createAlertPolicyStore } from './alerting/alert-policies';
import { createAlertRoutesStore } from './alerting/alert-routes';
import { createAlertStore } from './alerting/alerts';
import { createEscalationStore } from './alerting/escalations';
import { createIdentityProviderStore } from './alerting/identity-providers';
import { createIncidentStore } from './alerting/incidents';
import { createWholeIncidentStore } from './alerting/whole-incidents';
import { createAccountVariablesStore } from './environments/account-variables';
import { createEnvironmentStore } from './environments/environments';
import { createEventSourceStore } from './events/event-sources';
import { createPingStore } from './heartbeats/pings';
import { createServiceUptimeStore } from './heartbeats/service-uptime';
import { createHoursStore } from './maintenance/hours';
import { createMaintenanceWindowStore } from './maintenance/maintenance-windows';
import { createChangeStore } from './operations/changes';
import { createIdempotencyStore } from './operations/idempotency';
import { createMetricsSource } from './operations/metrics-source';
import { createOperatorEventStore } from './operations/operator-events';
import { createOverviewStore } from './operations/overview';
import { createProbeKeyStore } from './operations/probe-keys';
import { createRefusedRecordStore } from './operations/refused-records';
import { createRegionKeyStore } from './operations/region-keys';
import { createRegionLoadStore } from './operations/region-loads';
import { createRegionStore } from './operations/regions';
import { createRemovals } from './operations/removals';
import { createWatchdogStore } from './operations/watchdog';
import { createDependencyStore } from './resources/dependencies';
import { createMonitorStore } from './resources/monitors';
import { createProfileStore } from './resources/profiles';
import { createRevisionStore } from './resources/revisions';
import { createScenarioStore } from './resources/scenarios';
import { createEvidenceStore } from './results/evidence';
import { createTimelineStore } from './results/health-changes';
import { createResultStore } from './results/results';
import { createRunStore } from './results/runs';
import { createStatusStore } from './results/statuses';
import { createSummaryStore } from './results/summary-store';
import { createWatchedWrites } from './results/watched-writes';
import { createRolloutItemStore } from './rollouts/rollout-items';
import { createRolloutStore } from './rollouts/rollouts';
import { createSecretStore } from './secrets/secrets';
import { createCodeAppStore, createRecoveryCodeStore } from './sign-in/code-apps';
import { createIdentityStore } from './sign-in/identities';
import { createPasskeyStore } from './sign-in/passkeys';
import { createSignInStepStore } from './sign-in/sign-in-steps';
import { createPostStore } from './status-pages/posts';
import { createStatusPageStore } from './status-pages/status-pages';
import type { Database } from './store/database';
import { withDeadlines as guardedWithin } from './store/deadline';
import { withSharedReads } from './store/share-reads';
import { createLetterStore } from './subscribers/letters';
import { createNoticeStore } from './subscribers/notices';
import { createSubscriberStore } from './subscribers/subscribers';
import { createSavedViewStore } from './views/saved-views';
import { createWatchStore } from './watches/watches';

export type Stores = Readonly<ReturnType<typeof createStores>>;

/** Limits the time of each call to a store. Equal calls of the named reads are shared. */
type Guard = <Store extends object>(
  store: Store,
  sharedReads?: readonly (keyof Store & string)[],
) => Store;

/** Creates the stores. While the database is unreachable, each call fails with `unavailable`. */
export function createStores({ models, callDeadlineMs }: Database, clock: Clock = systemClock) {
  const guarded: Guard = (store, sharedReads = []) =>
    guardedWithin(withSharedReads(store, sharedReads, callDeadlineMs), callDeadlineMs);
  const { remove } = createRemovals(models, clock);
  return {
    accounts: guarded(createAccountStore(models.accounts), ['find']),
    ...peopleStores(models, guarded),
    quotas: guarded(createQuotaStore(models.quotas)),
    failedSignIns: guarded(createFailedSignInStore(models.failedSignIns)),
    audit: guarded(createAuditStore(models.audit)),
    idempotency: guarded(createIdempotencyStore(models.idempotency, clock)),
    metrics: guarded(createMetricsSource(models)),
    alertChannels: guarded(createAlertChannelStore(models.alertChannels)),
    alertPolicies: guarded(createAlertPolicyStore(models.alertPolicies)),
    alertRoutes: guarded(createAlertRoutesStore(models.alertRoutes)),
    alerts: guarded(createAlertStore(models.alerts)),
    eventSources: guarded(createEventSourceStore(models)),
    alertBursts: guarded(createAlertBurstStore(models.alertBursts)),
    escalations: guarded(createEscalationStore(models.escalations)),
    identityProviders: guarded(createIdentityProviderStore(models, () => clock.now())),
    ...valueStores(models, guarded),
    maintenanceWindows: guarded(createMaintenanceWindowStore(models.maintenanceWindows), [
      'listAll',
    ]),
    timeline: guarded(createTimelineStore(models.healthChanges)),
    summaries: guarded(createSummaryStore(models)),
    overview: guarded(createOverviewStore(models)),
    ...statusPageStores(models, clock, guarded),
    ...rolloutStores(models, guarded),
    savedViews: guarded(createSavedViewStore(models.savedViews)),
    pings: guarded(createPingStore(models.pings)),
    serviceUptime: guarded(createServiceUptimeStore(models.presence)),
    changes: guarded(createChangeStore(models)),
    monitors: guarded(
      createMonitorStore(models.monitors, (accountId, id) => remove('monitor', accountId, id)),
      ['count'],
    ),
    dependencies: guarded(createDependencyStore(models)),
    scenarios: guarded(
      createScenarioStore(models.scenarios, (accountId, id) => remove('scenario', accountId, id)),
      ['count'],
    ),
    revisions: guarded(createRevisionStore(models.revisions)),
    statuses: guarded(createStatusStore(models.statuses)),
    results: guarded(createResultStore(models.results)),
    watchedResults: guarded(createWatchedWrites(models, clock)),
    watches: guarded(createWatchStore(models)),
    watchdog: guarded(createWatchdogStore(models.watchdog)),
    evidence: guarded(createEvidenceStore(models)),
    runs: guarded(createRunStore(models.runs, clock)),
    incidents: guarded(createIncidentStore(models.incidents)),
    wholeIncidents: guarded(createWholeIncidentStore(models.incidents)),
    operatorEvents: guarded(createOperatorEventStore(models.operatorEvents)),
    refusedRecords: guarded(createRefusedRecordStore(models.refusedRecords)),
    regions: guarded(createRegionStore(models.regionProbes), ['list']),
    regionLoads: guarded(createRegionLoadStore(models), ['find']),
    probeKeys: guarded(createProbeKeyStore(models.probeKeys)),
    regionKeys: guarded(createRegionKeyStore(models.regionKeys)),
  };
}

/** Creates the stores of people, members and keys, and of the means with which people sign in. */
function peopleStores(models: Database['models'], guarded: Guard) {
  return {
    users: guarded(createUserStore(models.users), ['find']),
    people: guarded(createPersonStore(models.people)),
    apiKeys: guarded(createApiKeyStore(models.apiKeys), ['findByHash']),
    sessions: guarded(createSessionStore(models.sessions), ['findByHash']),
    pipelines: guarded(createPipelineStore(models.pipelines)),
    invitations: guarded(createInvitationStore(models.invitations)),
    passwordTokens: guarded(createPasswordTokenStore(models.passwordTokens)),
    registrations: guarded(createRegistrationStore(models.registrations)),
    identities: guarded(createIdentityStore(models.identities)),
    passkeys: guarded(createPasskeyStore(models.passkeys)),
    codeApps: guarded(createCodeAppStore(models.codeApps)),
    recoveryCodes: guarded(createRecoveryCodeStore(models.recoveryCodes)),
    signInSteps: guarded(createSignInStepStore(models.signInSteps)),
  };
}

function rolloutStores(models: Database['models'], guarded: Guard) {
  return {
    rollouts: guarded(createRolloutStore(models.rollouts)),
    rolloutItems: guarded(createRolloutItemStore(models.rolloutItems)),
  };
}

/** Creates the stores of values that definitions use. */
function valueStores(models: Database['models'], guarded: Guard) {
  return {
    hours: guarded(createHoursStore(models.hours), ['listAll']),
    profiles: guarded(createProfileStore(models.profiles)),
    environments: guarded(createEnvironmentStore(models.environments), ['listAll']),
    accountVariables: guarded(createAccountVariablesStore(models.accountVariables), ['find']),
    secrets: guarded(createSecretStore(models)),
  };
}

function statusPageStores(models: Database['models'], clock: Clock, guarded: Guard) {
  return {
    statusPages: guarded(createStatusPageStore(models.statusPages)),
    posts: guarded(createPostStore(models.statusPagePosts, clock)),
    subscribers: guarded(createSubscriberStore(models.statusPageSubscribers)),
    notices: guarded(createNoticeStore(models.statusPageNotices)),
    letters: guarded(createLetterStore(models.statusPageLetters)),
  };
}
