/** All collections: their models, and making them and their indexes at start. */
import type { Connection, Model } from 'mongoose';
import mongoose from 'mongoose';
import { type AccountDocument, accountCollection } from './accounts/accounts';
import { type ApiKeyDocument, apiKeyCollection } from './accounts/api-keys';
import { type AuditDocument, auditCollection } from './accounts/audit';
import { type FailedSignInDocument, failedSignInCollection } from './accounts/failed-sign-ins';
import { type InvitationDocument, invitationCollection } from './accounts/invitations';
import { type PasswordTokenDocument, passwordTokenCollection } from './accounts/password-tokens';
import { type QuotaDocument, quotaCollection } from './accounts/quotas';
import { type SessionDocument, sessionCollection } from './accounts/sessions';
import { type UserDocument, userCollection } from './accounts/users';
import { type AlertBurstDocument, alertBurstCollection } from './alerting/alert-bursts';
import { type AlertChannelDocument, alertChannelCollection } from './alerting/alert-channels';
import { type AlertPolicyDocument, alertPolicyCollection } from './alerting/alert-policies';
import { type AlertRoutesDocument, alertRoutesCollection } from './alerting/alert-routes';
import { type AlertDocument, alertCollection } from './alerting/alerts';
import { type EscalationDocument, escalationCollection } from './alerting/escalations';
import { type IncidentDocument, incidentCollection } from './alerting/incidents';
import { type PingDocument, pingCollection } from './heartbeats/pings';
import { type PresenceDocument, presenceCollection } from './heartbeats/presence';
import {
  type MaintenanceWindowDocument,
  maintenanceWindowCollection,
} from './maintenance/maintenance-windows';
import { type IdempotencyDocument, idempotencyCollection } from './operations/idempotency';
import { type OperatorEventDocument, operatorEventCollection } from './operations/operator-events';
import { type ProbeKeyDocument, probeKeyCollection } from './operations/probe-keys';
import { type RefusedRecordDocument, refusedRecordCollection } from './operations/refused-records';
import { type RegionKeyDocument, regionKeyCollection } from './operations/region-keys';
import { type RegionProbeDocument, regionProbeCollection } from './operations/regions';
import { type RemovalDocument, removalCollection } from './operations/removals';
import { type MonitorDocument, monitorCollection } from './resources/monitors';
import { type RevisionDocument, revisionCollection } from './resources/revisions';
import { type ScenarioDocument, scenarioCollection } from './resources/scenarios';
import { type EvidenceDocument, evidenceCollection } from './results/evidence';
import { type HealthChangeDocument, healthChangeCollection } from './results/health-changes';
import { type ResultDocument, resultCollection } from './results/result-documents';
import { type RunDocument, runCollection } from './results/runs';
import { type StatusDocument, statusCollection } from './results/statuses';
import { type SummaryDocument, summaryCollection } from './results/summaries';
import { type SecretDocument, secretCollection } from './secrets/secrets';
import { type StatusPageDocument, statusPageCollection } from './status-pages/status-pages';
import type { CollectionDefinition } from './store/define-schema';
import { type SavedViewDocument, savedViewCollection } from './views/saved-views';

const NAMESPACE_EXISTS = 48;
/** Answers of servers that know no clustered collections: unknown or invalid option. */
const NOT_CLUSTERABLE: ReadonlySet<unknown> = new Set([9, 72, 40415]);

export interface Models {
  readonly accounts: Model<AccountDocument>;
  readonly users: Model<UserDocument>;
  readonly apiKeys: Model<ApiKeyDocument>;
  readonly sessions: Model<SessionDocument>;
  readonly invitations: Model<InvitationDocument>;
  readonly passwordTokens: Model<PasswordTokenDocument>;
  readonly quotas: Model<QuotaDocument>;
  readonly failedSignIns: Model<FailedSignInDocument>;
  readonly audit: Model<AuditDocument>;
  readonly idempotency: Model<IdempotencyDocument>;
  readonly monitors: Model<MonitorDocument>;
  readonly scenarios: Model<ScenarioDocument>;
  readonly revisions: Model<RevisionDocument>;
  readonly statuses: Model<StatusDocument>;
  readonly results: Model<ResultDocument>;
  readonly summaries: Model<SummaryDocument>;
  readonly healthChanges: Model<HealthChangeDocument>;
  readonly evidence: Model<EvidenceDocument>;
  readonly runs: Model<RunDocument>;
  readonly incidents: Model<IncidentDocument>;
  readonly alertChannels: Model<AlertChannelDocument>;
  readonly alertPolicies: Model<AlertPolicyDocument>;
  readonly alertRoutes: Model<AlertRoutesDocument>;
  readonly alerts: Model<AlertDocument>;
  readonly alertBursts: Model<AlertBurstDocument>;
  readonly escalations: Model<EscalationDocument>;
  readonly maintenanceWindows: Model<MaintenanceWindowDocument>;
  readonly operatorEvents: Model<OperatorEventDocument>;
  readonly refusedRecords: Model<RefusedRecordDocument>;
  readonly regionProbes: Model<RegionProbeDocument>;
  readonly probeKeys: Model<ProbeKeyDocument>;
  readonly regionKeys: Model<RegionKeyDocument>;
  readonly secrets: Model<SecretDocument>;
  readonly removals: Model<RemovalDocument>;
  readonly statusPages: Model<StatusPageDocument>;
  readonly pings: Model<PingDocument>;
  readonly presence: Model<PresenceDocument>;
  readonly savedViews: Model<SavedViewDocument>;
}

/** The models of one connection; nothing is registered globally. */
export function createModels(connection: Connection): Models {
  const modelOf = <Document>({ name, schema }: CollectionDefinition<Document>) =>
    connection.model<Document>(name, schema, name);
  return {
    accounts: modelOf(accountCollection),
    users: modelOf(userCollection),
    apiKeys: modelOf(apiKeyCollection),
    sessions: modelOf(sessionCollection),
    invitations: modelOf(invitationCollection),
    passwordTokens: modelOf(passwordTokenCollection),
    quotas: modelOf(quotaCollection),
    failedSignIns: modelOf(failedSignInCollection),
    audit: modelOf(auditCollection),
    idempotency: modelOf(idempotencyCollection),
    monitors: modelOf(monitorCollection),
    scenarios: modelOf(scenarioCollection),
    revisions: modelOf(revisionCollection),
    statuses: modelOf(statusCollection),
    results: modelOf(resultCollection),
    summaries: modelOf(summaryCollection),
    healthChanges: modelOf(healthChangeCollection),
    evidence: modelOf(evidenceCollection),
    runs: modelOf(runCollection),
    incidents: modelOf(incidentCollection),
    alertChannels: modelOf(alertChannelCollection),
    alertPolicies: modelOf(alertPolicyCollection),
    alertRoutes: modelOf(alertRoutesCollection),
    alerts: modelOf(alertCollection),
    alertBursts: modelOf(alertBurstCollection),
    escalations: modelOf(escalationCollection),
    maintenanceWindows: modelOf(maintenanceWindowCollection),
    operatorEvents: modelOf(operatorEventCollection),
    refusedRecords: modelOf(refusedRecordCollection),
    regionProbes: modelOf(regionProbeCollection),
    probeKeys: modelOf(probeKeyCollection),
    regionKeys: modelOf(regionKeyCollection),
    secrets: modelOf(secretCollection),
    removals: modelOf(removalCollection),
    statusPages: modelOf(statusPageCollection),
    pings: modelOf(pingCollection),
    presence: modelOf(presenceCollection),
    savedViews: modelOf(savedViewCollection),
  };
}

const COLLECTIONS: readonly Omit<CollectionDefinition<unknown>, 'schema'>[] = [
  accountCollection,
  userCollection,
  apiKeyCollection,
  sessionCollection,
  invitationCollection,
  passwordTokenCollection,
  quotaCollection,
  failedSignInCollection,
  auditCollection,
  idempotencyCollection,
  monitorCollection,
  scenarioCollection,
  revisionCollection,
  statusCollection,
  resultCollection,
  summaryCollection,
  healthChangeCollection,
  evidenceCollection,
  runCollection,
  incidentCollection,
  alertChannelCollection,
  alertPolicyCollection,
  alertRoutesCollection,
  alertCollection,
  alertBurstCollection,
  escalationCollection,
  maintenanceWindowCollection,
  operatorEventCollection,
  refusedRecordCollection,
  regionProbeCollection,
  probeKeyCollection,
  regionKeyCollection,
  secretCollection,
  removalCollection,
  statusPageCollection,
  pingCollection,
  presenceCollection,
  savedViewCollection,
];

/** Makes what is missing; what is there stays. Several processes may do it at once. */
export async function makeCollections(connection: Connection): Promise<void> {
  for (const { name, indexes, clustered } of COLLECTIONS) {
    await makeCollection(connection, name, clustered ?? false);
    if (indexes.length === 0) continue;
    const specifications = indexes.map(({ key, ...options }) => ({ key: { ...key }, ...options }));
    await connection.collection(name).createIndexes(specifications);
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
