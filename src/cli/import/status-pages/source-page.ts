/**
 * A status page of another service, and its conversion to a page of ours. Components on our pages show checks. The file
 * contains only the names of components, so users must choose the checks.
 */
import { z } from 'zod';
import type { PostState, PostType } from '../../../contracts/status-pages';
import { TEXT_MAX } from '../../../domain/status-pages/incident-post';
import { cutText } from '../../../domain/text/cut-text';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
} from '../imported';

export interface SourceComponent {
  readonly name: string;
  /** The name of the component's group. null if there is no group. */
  readonly group: string | null;
}

/** The latest update that people wrote about an incident or maintenance. */
export interface SourcePost {
  readonly type: PostType;
  readonly title: string;
  readonly state: PostState;
  readonly text: string;
  /** The names of the affected components. */
  readonly affected: readonly string[];
}

export interface SourcePage {
  readonly name: string;
  /** The subdomain of the page's host name at the other service. */
  readonly subdomain: string | null;
  readonly description: string | null;
  /** The appearance of the page, as the other service describes it. */
  readonly look: Fields;
  /** Components in the order of the page. */
  readonly components: readonly SourceComponent[];
  /** Open incidents and maintenance. */
  readonly open: readonly SourcePost[];
  /** The number of closed incidents and maintenance. */
  readonly past: number;
  readonly notes: readonly ImportNote[];
}

const NAME_MAX = 200;
const DESCRIPTION_MAX = 2_000;
const SLUG_MIN = 3;
const SLUG_MAX = 60;
const GROUPS_MAX = 30;
const ITEMS_MAX = 100;
/** The group for components without a group. On our pages, each item is in a group. */
const LONE_GROUP = 'Services';

interface Group {
  readonly name: string;
  readonly items: { readonly monitor: string; readonly name: string }[];
}

export function importPage(source: SourcePage): Imported {
  const notes: ImportNote[] = [...source.notes];
  const title = oneLine(source.name) || 'Status';
  const note = (message: string) => notes.push({ name: title, message });
  const groups = buildGroups(source, note);
  notePosts(source, note);
  if (groups.length === 0) return { monitors: [], env: [], notes };
  const key = createKeyMaker([], 'page')(title);
  const page = dropEmptyFields({
    key,
    slug: buildSlug(oneLine(source.subdomain ?? ''), key),
    title,
    description: readDescription(source),
    ...source.look,
    groups,
  });
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  note(
    `each of its ${count} items names a monitor by a key made from its name, such as ${groups[0]?.items[0]?.monitor ?? ''}: replace them with the keys of your monitors or scenarios, or apply refuses them`,
  );
  note('is not public yet: look at it, then set isPublic: true');
  return { monitors: [], statusPages: [page], env: [], notes };
}

function buildGroups(
  { components }: SourcePage,
  note: (message: string) => void,
): readonly Group[] {
  const keyOf = createKeyMaker();
  const groups = new Map<string, Group>();
  const left: string[] = [];
  let count = 0;
  for (const component of components) {
    const name = oneLine(component.name);
    const groupName =
      component.group === null ? LONE_GROUP : oneLine(component.group) || LONE_GROUP;
    const known = groups.get(groupName);
    if (name === '' || count >= ITEMS_MAX || (known === undefined && groups.size >= GROUPS_MAX)) {
      left.push(name === '' ? 'one without a name' : name);
      continue;
    }
    const group = known ?? { name: groupName, items: [] };
    groups.set(groupName, group);
    group.items.push({ monitor: keyOf(name), name });
    count += 1;
  }
  if (left.length > 0)
    note(
      `has more than ${ITEMS_MAX} components or ${GROUPS_MAX} groups, or components without a name; left out: ${left.join(', ')}`,
    );
  if (components.some(({ group }) => group === null) && groups.size > 0)
    note(`components without a group are in ${LONE_GROUP}`);
  return [...groups.values()];
}

function notePosts({ open, past }: SourcePage, note: (message: string) => void): void {
  if (open.length > 0)
    note(
      `its ${open.length} open incidents and maintenances are not definitions: keepwatch posts import creates drafts of them once the page exists`,
    );
  if (past > 0)
    note(
      `its ${past} closed incidents and maintenances are left out: a post gets the time at which it is published`,
    );
}

/** Converts the post to a post that our pages accept. null means that the post has no title or no text. */
export function toPost({ text, title, ...post }: SourcePost): SourcePost | null {
  const plain = text
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/(?![\t\r\n])[\p{Cc}\p{Cs}]/gu, ' ')
    .trim();
  const named = oneLine(title);
  if (plain === '' || named === '') return null;
  return { ...post, title: named, text: cutText(plain, TEXT_MAX) };
}

/** Describes the planned time in a sentence. Empty if the source does not give the start. */
export function describePlannedTime(from: string | null | undefined, untilMs: number): string {
  const [begin, end] = [new Date(from ?? ''), new Date(untilMs)];
  if (Number.isNaN(begin.getTime()) || Number.isNaN(end.getTime())) return '';
  const words = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');
  return `\n\nPlanned from ${words(begin)} to ${words(end)} UTC.`;
}

/** Returns our state. undefined if the post is closed, or if the source's state is not documented. */
export function findState(
  states: Readonly<Record<string, PostState>>,
  word: string,
): PostState | undefined {
  return Object.hasOwn(states, word) ? states[word] : undefined;
}

/** Returns the update that was written last. undefined if there are no updates. */
export function findLast<Update>(
  updates: readonly Update[],
  atOf: (update: Update) => string | null | undefined,
): Update | undefined {
  const msOf = (update: Update) => Date.parse(atOf(update) ?? '') || 0;
  return updates.toSorted((one, other) => msOf(one) - msOf(other)).at(-1);
}

/** Puts the text on one line, without characters that are not allowed in names. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return cutText(plain, NAME_MAX);
}

function readDescription({ description }: SourcePage): string | null {
  const plain = (description ?? '').replaceAll(/(?![\t\r\n])[\p{Cc}\p{Cs}]/gu, ' ').trim();
  return plain === '' ? null : cutText(plain, DESCRIPTION_MAX);
}

function buildSlug(subdomain: string, key: string): string {
  const lower = subdomain.toLowerCase();
  const wanted = /^[a-z0-9-]{3,60}$/.test(lower) ? lower : key.replaceAll(/[^a-z0-9-]/g, '-');
  const cut = wanted.slice(0, SLUG_MAX);
  return cut.length < SLUG_MIN ? `status-${cut}` : cut;
}

/** Parses each item of a list by its shape. A problem includes the position in the list. */
export function parseListed<Item>(
  items: readonly unknown[],
  parse: (item: unknown) => Item,
): readonly Item[] {
  return items.map((item, index) => {
    try {
      return parse(item);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      throw new z.ZodError(
        error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })),
      );
    }
  });
}
