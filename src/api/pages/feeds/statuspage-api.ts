/**
 * A public status page in the format of Statuspage's API v2 (https://metastatuspage.com/api/v2), which many tools
 * read. It contains nothing that the page does not show: incidents are the posts that people published.
 */
import type { PostState } from '../../../contracts/status-pages';
import type { StatusPage } from '../../../models/status-pages/status-pages';
import type { ShownPost } from '../../../services/status-pages/public-posts';
import {
  findWorstState,
  type PublicMaintenance,
  type PublicState,
  type PublicStatus,
} from '../../../services/status-pages/public-status';
import { hashId } from '../hash-id';
import { isAllDown, wordsForWhole } from '../status-page-html';
import { getTexts, type PageTexts } from '../status-page-text';

type Part = 'status' | 'components' | 'incidents' | 'scheduled_maintenances';

/** Files under `api/v2`, and the parts of the summary that each contains in addition to `page`. */
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

/** Statuspage has no status for components that are paused, new or deleted. */
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
    updated_at: textOf(updatedAtMs),
  };
  const parts = partsOf(scene, about.id);
  const names: readonly Part[] = FILES[file];
  const shown = names.map((name) => [name, parts[name]]);
  return `${JSON.stringify({ page: about, ...Object.fromEntries(shown) }, null, 2)}\n`;
}

function partsOf(scene: ApiScene, pageId: string) {
  const components = componentsOf(scene, pageId);
  const { status, nowMs } = scene;
  const texts = getTexts(status.look.language);
  const items = components.filter(({ group }) => !group);
  const incidents = status.posts.filter(({ type }) => type === 'incident');
  const notices = status.posts.filter(({ type }) => type === 'maintenance');
  const place: Place = { pageId, url: scene.url, items };
  return {
    status: statusOf(status, texts),
    components,
    incidents: incidents.map((post) => incidentOf(post, place)),
    scheduled_maintenances: [
      ...status.maintenance.map((each) => plannedOf(each, place, { nowMs, texts })),
      ...notices.map((post) => ({
        ...postOf(post, place),
        status: MAINTENANCE_STATUS[post.state] ?? 'scheduled',
        impact: 'maintenance',
        scheduled_for: null,
        scheduled_until: null,
      })),
    ],
  };
}

function statusOf(status: PublicStatus, texts: PageTexts) {
  return {
    indicator: isAllDown(status) ? 'critical' : INDICATORS[status.overall],
    description: wordsForWhole(status, texts),
  };
}

/** Each group, followed by its items. */
function componentsOf({ page, status: { groups } }: ApiScene, pageId: string) {
  const times = { created_at: textOf(page.createdAtMs), updated_at: textOf(page.updatedAtMs) };
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
      start_date: item.sinceMs === null ? null : textOf(item.sinceMs).slice(0, 10),
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

interface Place {
  readonly pageId: string;
  readonly url: string;
  readonly items: readonly { readonly name: string; readonly status: string }[];
}

function incidentOf(post: ShownPost, place: Place) {
  const { state, updates, isOpen } = post;
  const shown = postOf(post, place);
  const isDown = shown.components.some(({ status }) => status === COMPONENT_STATUS.down);
  return {
    ...shown,
    status: post.postMortem === null ? state : 'postmortem',
    impact: isOpen && isDown ? 'major' : 'minor',
    monitoring_at: firstAt(updates, 'monitoring'),
    resolved_at: isOpen ? null : firstAt(updates.slice(0, 1), 'resolved'),
  };
}

function postOf(post: ShownPost, { pageId, url, items }: Place) {
  const { id, title, names, updates, publishedAtMs, changedAtMs } = post;
  const incidentId = hashId([pageId, 'post', id]);
  return {
    id: incidentId,
    name: title,
    created_at: textOf(publishedAtMs),
    started_at: textOf(publishedAtMs),
    updated_at: textOf(changedAtMs),
    shortlink: url,
    page_id: pageId,
    components: items.filter(({ name }) => names.includes(name)),
    incident_updates: updates.map(({ state, text, atMs }) => ({
      id: hashId([incidentId, state, atMs]),
      incident_id: incidentId,
      status: MAINTENANCE_STATUS[state] ?? state,
      body: text,
      created_at: textOf(atMs),
      display_at: textOf(atMs),
      updated_at: textOf(atMs),
    })),
  };
}

function plannedOf(
  { names, fromMs, toMs, announcedAtMs, changedAtMs }: PublicMaintenance,
  { pageId, url, items }: Place,
  { nowMs, texts }: { readonly nowMs: number; readonly texts: PageTexts },
) {
  return {
    id: hashId([pageId, 'maintenance', fromMs, ...names]),
    name: texts.say('maintenance.of', { names: names.join(', ') }),
    status: fromMs <= nowMs ? 'in_progress' : 'scheduled',
    impact: 'maintenance',
    created_at: textOf(announcedAtMs),
    started_at: textOf(fromMs),
    updated_at: textOf(changedAtMs),
    scheduled_for: textOf(fromMs),
    scheduled_until: textOf(toMs),
    shortlink: url,
    page_id: pageId,
    components: items.filter(({ name }) => names.includes(name)),
    incident_updates: [],
  };
}

function firstAt(updates: ShownPost['updates'], wanted: PostState): string | null {
  const found = updates.findLast(({ state }) => state === wanted);
  return found === undefined ? null : textOf(found.atMs);
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}
