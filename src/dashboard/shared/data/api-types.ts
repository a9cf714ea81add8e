/** Types of the /v1 responses, inferred from the shapes that the API reference is generated from. */
import type { z } from 'zod';
import type { NetworkKind } from '../../../contracts/kinds';
import type * as accounts from '../../../schemas/responses/account';
import type * as policies from '../../../schemas/responses/alert-policies';
import type * as routes from '../../../schemas/responses/alert-routes';
import type * as alerts from '../../../schemas/responses/alerts';
import type * as applies from '../../../schemas/responses/apply';
import type * as checks from '../../../schemas/responses/checks';
import type * as environments from '../../../schemas/responses/environments';
import type * as explanations from '../../../schemas/responses/explanations';
import type * as ledgers from '../../../schemas/responses/ledger';
import type * as maintenances from '../../../schemas/responses/maintenance';
import type * as monitors from '../../../schemas/responses/monitors';
import type * as overviews from '../../../schemas/responses/overview';
import type * as pipelines from '../../../schemas/responses/pipelines';
import type * as probeKeys from '../../../schemas/responses/probe-keys';
import type * as profiles from '../../../schemas/responses/profiles';
import type * as resources from '../../../schemas/responses/resources';
import type * as rollouts from '../../../schemas/responses/rollouts';
import type * as savedViews from '../../../schemas/responses/saved-views';
import type * as scenarios from '../../../schemas/responses/scenarios';
import type * as secrets from '../../../schemas/responses/secrets';
import type * as statusPages from '../../../schemas/responses/status-pages';
import type * as subscribers from '../../../schemas/responses/subscribers';
import type * as uptimes from '../../../schemas/responses/uptime';

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

type ItemOf<Shape extends z.ZodType<{ data: unknown[] }>> = z.output<Shape>['data'][number];

export type Session = z.output<typeof accounts.session>;
export type AccountDetail = z.output<typeof accounts.accountDetail>;
export type Member = z.output<typeof accounts.member>;
export type Invitation = z.output<typeof accounts.invitation>;
export type NewInvitation = z.output<typeof accounts.newInvitation>;
export type ApiKey = z.output<typeof accounts.apiKey>;
export type NewApiKey = z.output<typeof accounts.newApiKey>;
export type Pipeline = z.output<typeof pipelines.pipeline>;
export type BrowserSession = ItemOf<typeof accounts.sessionPage>;
export type AuditEvent = ItemOf<typeof accounts.auditPage>;
export type Region = ItemOf<typeof accounts.regionPage>;
export type ProbeKey = z.output<typeof probeKeys.probeKey>;
export type NewProbeKey = z.output<typeof probeKeys.newProbeKey>;
export type Monitor = z.output<typeof monitors.monitor>;
/** A monitor that sends HTTP requests to its url. */
export type HttpMonitor = Extract<Monitor, { type: 'http' }>;
/** A monitor of another kind that sends something to its target. */
export type NetworkMonitor = Extract<Monitor, { type: NetworkKind }>;
/** A monitor whose job reports by itself. */
export type HeartbeatMonitor = Extract<Monitor, { type: 'heartbeat' }>;
export type ListedMonitor = ItemOf<typeof monitors.monitorPage>;
export type Overview = z.output<typeof overviews.overview>;
export type Ledger = z.output<typeof ledgers.ledger>;
export type Trends = z.output<typeof overviews.trends>;
export type ListedCheck = ItemOf<typeof overviews.checkPage>;
export type Scenario = z.output<typeof scenarios.scenario>;
export type Status = Monitor['status'];
export type Result = ItemOf<typeof checks.resultPage>;
export type StatusPagePreview = z.output<typeof statusPages.statusPagePreview>;
export type StatusPagePost = z.output<typeof statusPages.statusPagePost>;
export type StatusPage = z.output<typeof statusPages.statusPage>;
export type StatusPageDomains = z.output<typeof statusPages.pageDomains>;
export type Subscriber = z.output<typeof subscribers.subscriber>;
export type SubscriberPage = z.output<typeof subscribers.subscriberPage>;
export type StatusPageNotice = ItemOf<typeof subscribers.noticePage>;
export type SavedView = z.output<typeof savedViews.savedView>;
export type Run = z.output<typeof checks.run>;
export type Uptime = z.output<typeof uptimes.uptime>;
export type Incident = z.output<typeof alerts.incident>;
export type IncidentExplanation = z.output<typeof explanations.incidentExplanation>;
export type Alert = ItemOf<typeof alerts.alertPage>;
export type AlertPolicy = z.output<typeof policies.alertPolicy>;
export type AlertSimulation = z.output<typeof policies.alertSimulation>;
export type AlertRoutes = z.output<typeof routes.alertRoutes>;
export type RouteSimulation = z.output<typeof routes.routeSimulation>;
export type AlertChannel = z.output<typeof alerts.alertChannel>;
export type NewAlertChannel = z.output<typeof alerts.newAlertChannel>;
export type AlertChannelTypes = z.output<typeof alerts.alertChannelTypes>;
export type AlertPreview = z.output<typeof alerts.alertPreview>;
export type ChannelTest = z.output<typeof alerts.channelTest>;
export type Secret = z.output<typeof secrets.secret>;
export type TestResult = z.output<typeof checks.testResult>;
export type TestRun = z.output<typeof checks.testRun>;
export type RequestedRuns = z.output<typeof checks.requestedRuns>;
export type BulkOutcome = z.output<typeof resources.bulkResponse>;
export type Rollout = z.output<typeof rollouts.rollout>;
export type RolloutWithItems = z.output<typeof rollouts.rolloutWithItems>;
export type RolloutPlan = z.output<typeof rollouts.rolloutPlan>;
export type Environment = z.output<typeof environments.environment>;
export type AccountVariables = z.output<typeof environments.accountVariables>;
export type Hours = z.output<typeof maintenances.hours>;
export type Profile = z.output<typeof profiles.profile>;
export type MaintenanceWindow = z.output<typeof maintenances.maintenanceWindow>;
export type AppliedSet = z.output<typeof applies.appliedSet>;
export type ExportedSet = z.output<typeof applies.exportedSet>;
