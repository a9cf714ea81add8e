/**
 * A public status page in the format of Statuspage's API v2 (https://metastatuspage.com/api/v2), which many tools read.
 * Incidents are the published posts.
 */

import type { PostState } from '../../../contracts/status-pages';
import type { StatusPage } from '../../../models/status-pages/status-pages';
import type { PublicMaintenance } from '../../../services/status-pages/public-maintenance';
import type { ShownPost } from '../../../services/status-pages/public-posts';
import {
  findWorstState,
  type PublicState,
  type PublicStatus,
} from '../../../services/status-pages/public-status';
import { hashId } from '../hash-id';
import { describeOverallState, isAllDown } from '../status-page-html';
import { getTexts, type PageTexts } from '../status-page-text';

type Part = 'status' | 'components' | 'incidents' | 'scheduled_maintenances';

/** Files under `api/v2`, and the parts of the summary that each file contains in addition to `page`. */
const FILES = {
  'summary.json': ['status', 'components', 'incidents', 'scheduled_maintenances'],
  'status.json': ['status'],
  'components.json': ['components'],
  'incidents.json': ['incidents'],
  'scheduled-maintenances.json': ['scheduled_maintenances'],
} as const satisfies Readonly<Record<string, readonly Part[]>>;

type ApiFile = keyof typeof FILES;

export function isApiFile(file: string): file is ApiFile {
  return Object.hasOwn(FILES, file);
}

/**
 * Maps our states to those of Statuspage. Statuspage has no state for paused, new or deleted components, so these
 * components become `unknown`.
 */
const COMPONENT_STATUS: Readonly<Record<PublicState, string>> = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  unknown: 'unknown',
};

const INDICATORS: Readonly<Record<PublicState, string>> = {
  up: 'none',
  degraded: 'minor',
  down: 'major',
  maintenance: 'maintenance',
  unknown: 'none',
};

const MAINTENANCE_STATUS: Partial<Record<PostState, string>> = {
  scheduled: 'scheduled',
  started: 'in_progress',
  completed: 'completed',
  cancelled: 'completed',
};

interface ApiScene {
  readonly page: Pick<StatusPage, 'slug' | 'createdAtMs' | 'updatedAtMs'>;
  readonly status: PublicStatus;
  /** Public URL of the page. */
  readonly url: string;
  readonly nowMs: number;
}

export function renderStatuspageFile(file: ApiFile, scene: ApiScene): string {
  const { page, status, url } = scene;
  const updatedAtMs = Math.max(
    page.updatedAtMs,
    ...status.posts.map(({ changedAtMs }) => changedAtMs),
    ...status.outages.map(({ fromMs, toMs }) => toMs ?? fromMs),
  );
  const about = {
    id: hashId([page.slug]),
    name: status.title,
    url,
    time_zone: 'Etc/UTC',
    updated_at: formatInstant(updatedAtMs),
  };
  const parts = buildParts(scene, about.id);
  const names: readonly Part[] = FILES[file];
  const shown = names.map((name) => [name, parts[name]]);
  return `${JSON.stringify({ page: about, ...Object.fromEntries(shown) }, null, 2)}\n`;
}

function buildParts(scene: ApiScene, pageId: string) {
  const components = listComponents(scene, pageId);
  const { status, nowMs } = scene;
  const texts = getTexts(status.look.language);
  const items = components.filter(({ group }) => !group);
  const incidents = status.posts.filter(({ type }) => type === 'incident');
  const notices = status.posts.filter(({ type }) => type === 'maintenance');
  const page: PageContext = { pageId, url: scene.url, items };
  return {
    status: buildStatus(status, texts),
    components,
    incidents: incidents.map((post) => buildIncident(post, page)),
    scheduled_maintenances: [
      ...status.maintenance.map((each) => buildPlanned(each, page, { nowMs, texts })),
      ...notices.map((post) => ({
        ...buildPost(post, page),
        status: MAINTENANCE_STATUS[post.state] ?? 'scheduled',
        impact: 'maintenance',
        scheduled_for: null,
        scheduled_until: null,
      })),
    ],
  };
}

function buildStatus(status: PublicStatus, texts: PageTexts) {
  return {
    indicator: isAllDown(status) ? 'critical' : INDICATORS[status.overall],
    description: describeOverallState(status, texts),
  };
}

/** Lists each group, followed by its items. */
function listComponents({ page, status: { groups } }: ApiScene, pageId: string) {
  const times = {
    created_at: formatInstant(page.createdAtMs),
    updated_at: formatInstant(page.updatedAtMs),
  };
  const common = {
    ...times,
    description: null,
    showcase: false,
    only_show_if_degraded: false,
    page_id: pageId,
  };
  return groups.flatMap(({ name, items }, at) => {
    const groupId = hashId([pageId, 'group', at]);
    const members = items.map((item, index) => ({
      ...common,
      id: item.id,
      name: item.name,
      status: COMPONENT_STATUS[item.state],
      position: index + 1,
      start_date: item.sinceMs === null ? null : formatInstant(item.sinceMs).slice(0, 10),
      group: false,
      group_id: groupId,
    }));
    const whole = {
      ...common,
      id: groupId,
      name,
      status: COMPONENT_STATUS[findWorstState(items.map(({ state }) => state))],
      position: at + 1,
      start_date: null,
      group: true,
      group_id: null,
      components: members.map(({ id }) => id),
    };
    return [whole, ...members];
  });
}

interface PageContext {
  readonly pageId: string;
  readonly url: string;
  readonly items: readonly { readonly name: string; readonly status: string }[];
}

function buildIncident(post: ShownPost, page: PageContext) {
  const { state, updates, isOpen } = post;
  const shown = buildPost(post, page);
  const isDown = shown.components.some(({ status }) => status === COMPONENT_STATUS.down);
  return {
    ...shown,
    status: post.postMortem === null ? state : 'postmortem',
    impact: isOpen && isDown ? 'major' : 'minor',
    monitoring_at: firstAt(updates, 'monitoring'),
    resolved_at: isOpen ? null : firstAt(updates.slice(0, 1), 'resolved'),
  };
}

function buildPost(post: ShownPost, { pageId, url, items }: PageContext) {
  const { id, title, names, updates, publishedAtMs, changedAtMs } = post;
  const incidentId = hashId([pageId, 'post', id]);
  return {
    id: incidentId,
    name: title,
    created_at: formatInstant(publishedAtMs),
    started_at: formatInstant(publishedAtMs),
    updated_at: formatInstant(changedAtMs),
    shortlink: url,
    page_id: pageId,
    components: items.filter(({ name }) => names.includes(name)),
    incident_updates: updates.map(({ state, text, atMs }) => ({
      id: hashId([incidentId, state, atMs]),
      incident_id: incidentId,
      status: MAINTENANCE_STATUS[state] ?? state,
      body: text,
      created_at: formatInstant(atMs),
      display_at: formatInstant(atMs),
      updated_at: formatInstant(atMs),
    })),
  };
}

function buildPlanned(
  { names, fromMs, toMs, announcedAtMs, changedAtMs }: PublicMaintenance,
  { pageId, url, items }: PageContext,
  { nowMs, texts }: { readonly nowMs: number; readonly texts: PageTexts },
) {
  return {
    id: hashId([pageId, 'maintenance', fromMs, ...names]),
    name: texts.say('maintenance.of', { names: names.join(', ') }),
    status: fromMs <= nowMs ? 'in_progress' : 'scheduled',
    impact: 'maintenance',
    created_at: formatInstant(announcedAtMs),
    started_at: formatInstant(fromMs),
    updated_at: formatInstant(changedAtMs),
    scheduled_for: formatInstant(fromMs),
    scheduled_until: formatInstant(toMs),
    shortlink: url,
    page_id: pageId,
    components: items.filter(({ name }) => names.includes(name)),
    incident_updates: [],
  };
}

function firstAt(updates: ShownPost['updates'], wanted: PostState): string | null {
  const found = updates.findLast(({ state }) => state === wanted);
  return found === undefined ? null : formatInstant(found.atMs);
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
