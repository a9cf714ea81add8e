/**
 * Reads pages of Statuspage: the public files below `/api/v2` of a page (summary.json, components.json, incidents.json,
 * scheduled-maintenances.json), and lists of its API (`/v1/pages/{id}`, `…/components`, `…/component-groups`,
 * `…/incidents`).
 */
import { z } from 'zod';
import { isRecord } from '../../../contracts/json';
import type { PostState } from '../../../contracts/status-pages';
import { hasState } from '../../../domain/status-pages/post';
import { type ImportNote, noteFields } from '../imported';
import {
  describePlannedTime,
  findLast,
  findState,
  parseListed,
  type SourceComponent,
  type SourcePage,
  type SourcePost,
} from './source-page';

const pageShape = z.looseObject({
  name: z.string(),
  /** `subdomain` and the fields after it are present only in responses of the API. */
  subdomain: z.string().nullish(),
  page_description: z.string().nullish(),
  domain: z.string().nullish(),
});

const componentShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  group_id: z.string().nullish(),
  /** True if the component is itself a group. */
  group: z.boolean().nullish(),
  position: z.number().nullish(),
});

const groupShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  components: z.array(z.string()),
  position: z.number().nullish(),
});

const incidentShape = z.looseObject({
  name: z.string(),
  status: z.string(),
  scheduled_for: z.string().nullish(),
  scheduled_until: z.string().nullish(),
  incident_updates: z.array(
    z.looseObject({ body: z.string().nullish(), created_at: z.string().nullish() }),
  ),
  components: z.array(z.looseObject({ name: z.string() })).nullish(),
});

/** Maps the states of open incidents and maintenance to our states. */
const STATES: Readonly<Record<string, PostState>> = {
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'monitoring',
  scheduled: 'scheduled',
  in_progress: 'started',
  verifying: 'started',
};

const publicShape = z.looseObject({
  page: pageShape.optional(),
  components: z.array(componentShape).optional(),
  incidents: z.array(incidentShape).optional(),
  scheduled_maintenances: z.array(incidentShape).optional(),
});

type Component = z.output<typeof componentShape>;
type Group = z.output<typeof groupShape>;
type Incident = z.output<typeof incidentShape>;

interface Found {
  page: z.output<typeof pageShape> | null;
  readonly components: Component[];
  readonly groups: Group[];
  readonly incidents: Incident[];
}

/** Fields for state, times and links, which are left out without a note. */
const SILENT_FIELDS: readonly string[] = [
  'status',
  'created_at',
  'updated_at',
  'page_id',
  'showcase',
  'start_date',
  'components',
  'automation_email',
];

/** Reads the page. Throws if the contents do not have the expected shape. */
export function readStatuspage(contents: readonly unknown[]): SourcePage {
  const found: Found = { page: null, components: [], groups: [], incidents: [] };
  for (const content of contents) sortContent(content, found);
  const { page, incidents } = found;
  const open = incidents.flatMap(importPost);
  const notes: ImportNote[] = [];
  if (page?.domain)
    notes.push({
      name: page.name,
      message: `has the domain ${page.domain}: add it to domains, and point it to this service`,
    });
  return {
    name: page?.name ?? 'Status',
    subdomain: page?.subdomain ?? null,
    description: page?.page_description ?? null,
    look: {},
    components: importComponents(found, notes),
    open,
    past: incidents.length - open.length,
    notes,
  };
}

function sortContent(content: unknown, found: Found): void {
  if (Array.isArray(content)) {
    parseListed(content, (item) => sortListed(item, found));
    return;
  }
  // The page itself, as the API returns it.
  if (isRecord(content) && 'subdomain' in content) {
    found.page = pageShape.parse(content);
    return;
  }
  const file = publicShape.parse(content);
  found.page = found.page ?? file.page ?? null;
  found.components.push(...(file.components ?? []));
  found.incidents.push(...(file.incidents ?? []), ...(file.scheduled_maintenances ?? []));
}

/**
 * Adds an item to the list of its type. The API's lists do not name the type, so it is recognized by the item's fields.
 */
function sortListed(item: unknown, found: Found): void {
  const isOf = (field: string) => isRecord(item) && field in item;
  if (isOf('incident_updates')) found.incidents.push(incidentShape.parse(item));
  else if (isOf('components') && !isOf('group')) found.groups.push(groupShape.parse(item));
  else found.components.push(componentShape.parse(item));
}

/**
 * Converts an open incident or maintenance. Returns an empty list for a closed one. The API also lists maintenance
 * under incidents.
 */
function importPost(incident: Incident): readonly SourcePost[] {
  const { name: title, status, incident_updates: updates, components } = incident;
  const state = findState(STATES, status);
  if (state === undefined) return [];
  const { scheduled_for: from, scheduled_until: until } = incident;
  const isPlanned = hasState('maintenance', state);
  const planned = isPlanned ? describePlannedTime(from, Date.parse(until ?? '')) : '';
  const body = findLast(updates, ({ created_at: at }) => at)?.body ?? '';
  const type = isPlanned ? 'maintenance' : 'incident';
  const affected = (components ?? []).map(({ name }) => name);
  return [{ type, title, state, text: body + planned, affected }];
}

/** Returns the components in the order of the page. Components of a group follow each other. */
function importComponents(
  { components: all, groups: listed }: Found,
  notes: ImportNote[],
): readonly SourceComponent[] {
  // Two files may contain the same component, so duplicates are removed.
  const components = [...new Map(all.map((component) => [component.id, component])).values()];
  const nameOfGroup = new Map(listed.map(({ id, name }) => [id, name]));
  for (const { id, name, group } of components) if (group === true) nameOfGroup.set(id, name);
  const positions = new Map(
    [...listed, ...components].map(({ id, position }) => [id, position ?? 0]),
  );
  const shown = components.filter(({ group }) => group !== true);
  for (const component of shown) {
    const names = Object.keys(component).filter(
      (field) => !(field in componentShape.shape) && !SILENT_FIELDS.includes(field),
    );
    const note = (message: string) => notes.push({ name: component.name, message });
    noteFields(component, names, { note });
  }
  const readSortKey = ({ id, group_id }: Component): readonly [number, number] =>
    group_id == null
      ? [positions.get(id) ?? 0, 0]
      : [positions.get(group_id) ?? 0, positions.get(id) ?? 0];
  return shown
    .map((component) => ({ component, at: readSortKey(component) }))
    .toSorted((one, other) => one.at[0] - other.at[0] || one.at[1] - other.at[1])
    .map(({ component: { name, group_id } }) => ({
      name,
      group: group_id == null ? null : (nameOfGroup.get(group_id) ?? null),
    }));
}
