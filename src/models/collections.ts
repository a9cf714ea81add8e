/** The models of all collections, and the creation of collections and indexes. */
import type { Connection, Model } from 'mongoose';
import mongoose from 'mongoose';
import { accountCollection } from './accounts/accounts';
import { apiKeyCollection } from './accounts/api-keys';
import { auditCollection } from './accounts/audit';
import { failedSignInCollection } from './accounts/failed-sign-ins';
import { invitationCollection } from './accounts/invitations';
import { movePeople } from './accounts/move-people';
import { passwordTokenCollection } from './accounts/password-tokens';
import { personCollection } from './accounts/people';
import { pipelineCollection } from './accounts/pipelines';
import { quotaCollection } from './accounts/quotas';
import { registrationCollection } from './accounts/registrations';
import { sessionCollection } from './accounts/sessions';
import { userCollection } from './accounts/users';
import { alertBurstCollection } from './alerting/alert-bursts';
import { alertChannelCollection } from './alerting/alert-channels';
import { alertPolicyCollection } from './alerting/alert-policies';
import { alertRoutesCollection } from './alerting/alert-routes';
import { alertCollection } from './alerting/alerts';
import { escalationCollection } from './alerting/escalations';
import { providerCollection, signInFailureCollection } from './alerting/identity-providers';
import { incidentCollection } from './alerting/incidents';
import { accountVariablesCollection } from './environments/account-variables';
import { environmentCollection } from './environments/environments';
import { pingCollection } from './heartbeats/pings';
import { serviceUptimeCollection } from './heartbeats/service-uptime';
import { hoursCollection } from './maintenance/hours';
import { maintenanceWindowCollection } from './maintenance/maintenance-windows';
import { idempotencyCollection } from './operations/idempotency';
import { operatorEventCollection } from './operations/operator-events';
import { probeKeyCollection } from './operations/probe-keys';
import { refusedRecordCollection } from './operations/refused-records';
import { regionKeyCollection } from './operations/region-keys';
import { regionProbeCollection } from './operations/regions';
import { removalCollection } from './operations/removals';
import { watchdogCollection } from './operations/watchdog';
import { monitorCollection } from './resources/monitors';
import { profileCollection } from './resources/profiles';
import { revisionCollection } from './resources/revisions';
import { scenarioCollection } from './resources/scenarios';
import { evidenceBeforeCollection, evidenceCollection } from './results/evidence';
import { healthChangeCollection } from './results/health-changes';
import { resultCollection } from './results/result-documents';
import { runCollection } from './results/runs';
import { statusCollection } from './results/statuses';
import { summaryCollection } from './results/summaries';
import { rolloutItemCollection } from './rollouts/rollout-items';
import { rolloutCollection } from './rollouts/rollouts';
import { secretCollection } from './secrets/secrets';
import { codeAppCollection, recoveryCodeCollection } from './sign-in/code-apps';
import { identityCollection } from './sign-in/identities';
import { passkeyCollection } from './sign-in/passkeys';
import { signInStepCollection } from './sign-in/sign-in-steps';
import { postCollection } from './status-pages/posts';
import { statusPageCollection } from './status-pages/status-pages';
import type { CollectionDefinition } from './store/define-schema';
import { letterCollection } from './subscribers/letters';
import { noticeCollection } from './subscribers/notices';
import { subscriberCollection } from './subscribers/subscribers';
import { savedViewCollection } from './views/saved-views';
import { probeInstanceCollection, watchCollection, watchTotalsCollection } from './watches/watches';

const NAMESPACE_EXISTS = 48;
/** Error codes for a missing collection or index. */
const MISSING: ReadonlySet<unknown> = new Set([26, 27]);
/** Error codes of servers that cannot create clustered collections: unknown or invalid option. */
const NOT_CLUSTERABLE: ReadonlySet<unknown> = new Set([9, 72, 40415]);

const COLLECTIONS = {
  accounts: accountCollection,
  users: userCollection,
  people: personCollection,
  apiKeys: apiKeyCollection,
  sessions: sessionCollection,
  invitations: invitationCollection,
  passwordTokens: passwordTokenCollection,
  registrations: registrationCollection,
  identities: identityCollection,
  passkeys: passkeyCollection,
  codeApps: codeAppCollection,
  recoveryCodes: recoveryCodeCollection,
  signInSteps: signInStepCollection,
  quotas: quotaCollection,
  failedSignIns: failedSignInCollection,
  audit: auditCollection,
  idempotency: idempotencyCollection,
  accountVariables: accountVariablesCollection,
  environments: environmentCollection,
  monitors: monitorCollection,
  scenarios: scenarioCollection,
  revisions: revisionCollection,
  statuses: statusCollection,
  results: resultCollection,
  summaries: summaryCollection,
  healthChanges: healthChangeCollection,
  evidence: evidenceCollection,
  evidenceBefore: evidenceBeforeCollection,
  runs: runCollection,
  incidents: incidentCollection,
  alertChannels: alertChannelCollection,
  alertPolicies: alertPolicyCollection,
  alertRoutes: alertRoutesCollection,
  alerts: alertCollection,
  alertBursts: alertBurstCollection,
  escalations: escalationCollection,
  identityProviders: providerCollection,
  signInFailures: signInFailureCollection,
  hours: hoursCollection,
  profiles: profileCollection,
  maintenanceWindows: maintenanceWindowCollection,
  operatorEvents: operatorEventCollection,
  refusedRecords: refusedRecordCollection,
  regionProbes: regionProbeCollection,
  probeKeys: probeKeyCollection,
  regionKeys: regionKeyCollection,
  secrets: secretCollection,
  removals: removalCollection,
  statusPages: statusPageCollection,
  statusPagePosts: postCollection,
  statusPageSubscribers: subscriberCollection,
  statusPageNotices: noticeCollection,
  statusPageLetters: letterCollection,
  pings: pingCollection,
  presence: serviceUptimeCollection,
  rollouts: rolloutCollection,
  rolloutItems: rolloutItemCollection,
  savedViews: savedViewCollection,
  pipelines: pipelineCollection,
  watches: watchCollection,
  watchdog: watchdogCollection,
  probeInstances: probeInstanceCollection,
  watchTotals: watchTotalsCollection,
};

type Definitions = typeof COLLECTIONS;

export type Models = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends CollectionDefinition<
    infer Document
  >
    ? Model<Document>
    : never;
};

/** Creates the models of one connection. Nothing is registered globally. */
export function createModels(connection: Connection): Models;
export function createModels(connection: Connection): object {
  return Object.fromEntries(
    Object.entries(COLLECTIONS).map(([key, { name, schema }]) => [
      key,
      connection.model(name, schema, name),
    ]),
  );
}

/**
 * Creates missing collections and indexes, drops indexes that are no longer used, and migrates data of earlier
 * releases. Several processes may run this at the same time.
 */
export async function makeCollections(connection: Connection): Promise<void> {
  for (const { name, indexes, retiredIndexes = [], clustered } of Object.values(COLLECTIONS)) {
    await makeCollection(connection, name, clustered ?? false);
    for (const index of retiredIndexes) await dropIndex(connection, name, index);
    if (indexes.length === 0) continue;
    const specifications = indexes.map(({ key, ...options }) => ({ key: { ...key }, ...options }));
    await connection.collection(name).createIndexes(specifications);
  }
  await movePeople(connection);
}

async function dropIndex(connection: Connection, name: string, index: string): Promise<void> {
  try {
    await connection.collection(name).dropIndex(index);
  } catch (error) {
    const isMissing = error instanceof mongoose.mongo.MongoServerError && MISSING.has(error.code);
    if (!isMissing) throw error;
  }
}

async function makeCollection(connection: Connection, name: string, isClustered: boolean) {
  try {
    await connection.createCollection(
      name,
      isClustered ? { clusteredIndex: { key: { _id: 1 }, unique: true } } : {},
    );
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError)) throw error;
    if (error.code === NAMESPACE_EXISTS) return;
    if (!isClustered || !NOT_CLUSTERABLE.has(error.code)) throw error;
    await makeCollection(connection, name, false);
  }
}
