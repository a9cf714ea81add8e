/**
 * Reads pages of Instatus from lists of its API (`/v1/pages`, `/v1/{page}/components`, `…/incidents`,
 * `…/maintenances`). The fields of groups are not documented, so this file uses the fields that public clients read.
 */
import { z } from 'zod';
import { isRecord } from '../../../contracts/json';
import { type PostState, STATUS_PAGE_LANGUAGES } from '../../../contracts/status-pages';
import { hasState } from '../../../domain/status-pages/post';
import { dropEmptyFields, type Fields, type ImportNote, noteFields } from '../imported';
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
  subdomain: z.string(),
  language: z.string().nullish(),
  customDomain: z.string().nullish(),
  brandColor: z.string().nullish(),
});

const componentShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  order: z.number().nullish(),
  group: z.looseObject({ id: z.string(), name: z.string(), order: z.number().nullish() }).nullish(),
  /** True if the component is itself a group. */
  isParent: z.boolean().nullish(),
});

const updateShape = z.looseObject({ message: z.string().nullish(), started: z.string().nullish() });

const incidentShape = z.looseObject({
  name: z.string(),
  status: z.string(),
  updates: z.array(updateShape),
  components: z.array(z.looseObject({ name: z.string() })).nullish(),
  /** Start of a maintenance. `duration` is in minutes. */
  start: z.string().nullish(),
  duration: z.number().nullish(),
});

/** Maps the states of open incidents and maintenance to our states. */
const STATES: Readonly<Record<string, PostState>> = {
  INVESTIGATING: 'investigating',
  IDENTIFIED: 'identified',
  MONITORING: 'monitoring',
  NOTSTARTEDYET: 'scheduled',
  INPROGRESS: 'started',
};
const MINUTE_MS = 60_000;

const listShape = z.array(z.unknown());

type Component = z.output<typeof componentShape>;
type Incident = z.output<typeof incidentShape>;
type Page = z.output<typeof pageShape>;

interface Found {
  readonly pages: Page[];
  readonly components: Component[];
  readonly incidents: Incident[];
}

/** Fields for state, times and links, which are left out without a note. */
const SILENT_FIELDS: readonly string[] = [
  'status',
  'internalStatus',
  'showUptime',
  'uniqueEmail',
  'incidents',
  'createdAt',
  'updatedAt',
  'startDate',
  'groupId',
  'isCollapsed',
  'children',
  'site',
];

/** Reads the page. Throws if the contents do not have the expected shape. */
export function readInstatus(contents: readonly unknown[]): SourcePage {
  const found: Found = { pages: [], components: [], incidents: [] };
  for (const content of contents)
    parseListed(listShape.parse(content), (item) => sortListed(item, found));
  const { pages, components, incidents } = found;
  const open = incidents.flatMap(importPost);
  const [page, ...others] = pages;
  const notes: ImportNote[] = others.map(({ name }) => ({
    name,
    message: 'is another page: import the files of one page at a time',
  }));
  return {
    name: page?.name ?? 'Status',
    subdomain: page?.subdomain ?? null,
    description: null,
    look: page === undefined ? {} : importLook(page, notes),
    components: importComponents(components, notes),
    open,
    past: incidents.length - open.length,
    notes,
  };
}

/**
 * Adds an item to the list of its type. The API's lists do not name the type, so it is recognized by the item's fields.
 */
function sortListed(item: unknown, found: Found): void {
  const isOf = (field: string) => isRecord(item) && field in item;
  if (isOf('subdomain')) found.pages.push(pageShape.parse(item));
  else if (isOf('updates')) found.incidents.push(incidentShape.parse(item));
  else found.components.push(componentShape.parse(item));
}

/** Converts an open incident or maintenance. Returns an empty list for a closed one. */
function importPost({
  name: title,
  status,
  start,
  duration,
  ...incident
}: Incident): readonly SourcePost[] {
  const state = findState(STATES, status);
  if (state === undefined) return [];
  const isPlanned = hasState('maintenance', state);
  const untilMs = Date.parse(start ?? '') + (duration ?? Number.NaN) * MINUTE_MS;
  const planned = isPlanned ? describePlannedTime(start, untilMs) : '';
  const message = findLast(incident.updates, ({ started }) => started)?.message ?? '';
  const type = isPlanned ? 'maintenance' : 'incident';
  const affected = (incident.components ?? []).map(({ name }) => name);
  return [{ type, title, state, text: message + planned, affected }];
}

function importLook(
  { name, language, customDomain, brandColor }: Page,
  notes: ImportNote[],
): Fields {
  const note = (message: string) => notes.push({ name, message });
  if (customDomain)
    note(`has the domain ${customDomain}: add it to domains, and point it to this service`);
  const known = STATUS_PAGE_LANGUAGES.find((each) => each === language);
  if (language && known === undefined)
    note(`has the language ${language}, which is not available here; English is used`);
  const accent = importAccent(brandColor ?? '');
  if (brandColor && accent === null) note(`has the colour ${brandColor}, which is left out`);
  return dropEmptyFields({ language: known, accent });
}

/** Returns the accent colour. null for a colour that is neither `#rgb` nor `#rrggbb`. */
function importAccent(colour: string): string | null {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  if (!/^#[0-9a-f]{3}$/i.test(colour)) return null;
  return colour.replaceAll(/[^#]/g, '$&$&');
}

/** Returns the components in the order of the page. Components of a group are at the position of the group. */
function importComponents(
  all: readonly Component[],
  notes: ImportNote[],
): readonly SourceComponent[] {
  const parents = new Map(all.map(({ id, order }) => [id, order]));
  const isParent = new Set(all.flatMap(({ group }) => group?.id ?? []));
  const shown = [...new Map(all.map((component) => [component.id, component])).values()].filter(
    (component) => component.isParent !== true && !isParent.has(component.id),
  );
  for (const component of shown) {
    const names = Object.keys(component).filter(
      (field) => !(field in componentShape.shape) && !SILENT_FIELDS.includes(field),
    );
    const note = (message: string) => notes.push({ name: component.name, message });
    noteFields(component, names, { note });
  }
  const readSortKey = ({ order, group }: Component): readonly [number, number] =>
    group == null ? [order ?? 0, 0] : [group.order ?? parents.get(group.id) ?? 0, order ?? 0];
  return shown
    .map((component) => ({ component, at: readSortKey(component) }))
    .toSorted((one, other) => one.at[0] - other.at[0] || one.at[1] - other.at[1])
    .map(({ component: { name, group } }) => ({ name, group: group?.name ?? null }));
}
