/** Filters, sorts and groups the table of checks. The page's URL contains the filters, the order and the grouping. */
import {
  CHECK_COLUMNS,
  CHECK_GROUPINGS,
  CHECK_KINDS,
  WORST_FIRST,
} from '../../../contracts/check-list';
import type { ListedCheck, Status } from '../../shared/data/api-types';
import { findCheckKind } from '../../shared/data/check-type';
import type { Search } from '../../shared/data/search';
import { dropUnknown, isStatusChosen } from '../../shared/list/list-filters';
import { STATUS_WORDS } from '../../shared/text/strings';

type Figures = NonNullable<ListedCheck['figures']>;
export type FiguresById = ReadonlyMap<string, Figures>;

const OFFERED = { type: CHECK_KINDS };

/** Keeps the checks that match every given filter. Ignores types and statuses that do not exist. */
export function filterChecks(
  checks: readonly ListedCheck[],
  search: Search,
): readonly ListedCheck[] {
  const { q = '', type, group, tag, region } = dropUnknown(search, OFFERED);
  const text = q.trim().toLowerCase();
  const statuses = WORST_FIRST.filter((status) => isStatusChosen(search, status));
  return checks.filter(
    (check) =>
      (text === '' || buildSearchText(check).includes(text)) &&
      (type === undefined || findCheckKind(check) === type) &&
      (group === undefined || check.groupKey === group || check.groupKey.startsWith(`${group}/`)) &&
      (tag === undefined || check.tags.includes(tag)) &&
      (region === undefined || check.regions.includes(region)) &&
      (statuses.length === 0 || statuses.includes(check.status)),
  );
}

/** Returns the text that the search looks through: name, host and key. The service searches the same fields. */
function buildSearchText({ name, url, key }: ListedCheck): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return `${name} ${host} ${key ?? ''}`.toLowerCase();
}

export type Column = (typeof CHECK_COLUMNS)[number];

interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

/**
 * True for the default order, which shows the worst status first. Groups and pages then begin with the worst status,
 * too.
 */
function isWorstFirst({ column, isDescending }: Order): boolean {
  return column === 'status' && !isDescending;
}

/**
 * Parses the URL's `sort`. `-p95` sorts the slowest first. If the text names no known column, the worst status comes
 * first.
 */
export function readOrder(text: string | undefined): Order {
  const name = text?.replace(/^-/, '');
  const column = CHECK_COLUMNS.find((one) => one === name) ?? 'status';
  return { column, isDescending: text?.startsWith('-') === true };
}

/**
 * Returns the URL's `sort` after a click on the header of `column`: first ascending, then descending, then undefined
 * for the default order.
 */
export function nextSort(text: string | undefined, column: Column): string | undefined {
  if (text === column) return `-${column}`;
  return text === `-${column}` ? undefined : column;
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Sorts by name, with numbers in numeric order (9 before 10). Call it once per list, because it is slow for thousands
 * of checks.
 */
export function sortByName(checks: readonly ListedCheck[]): readonly ListedCheck[] {
  return checks.toSorted((left, right) => NAMES.compare(left.name, right.name));
}

/**
 * Sorts the checks by a column. `checks` must be sorted by name, because equal values stay in that order. Checks
 * without a value in this column come last in both directions.
 */
export function sortChecks(
  checks: readonly ListedCheck[],
  { column, isDescending }: Order,
  figures: FiguresById | undefined,
): readonly ListedCheck[] {
  if (column === 'name') return isDescending ? checks.toReversed() : checks;
  const keyed = checks.map((check) => ({
    check,
    value: findSortKey(check, column, figures?.get(check.id)),
  }));
  const sign = isDescending ? -1 : 1;
  return keyed
    .toSorted((left, right) => {
      if (left.value === right.value) return 0;
      if (left.value === null || right.value === null) return left.value === null ? 1 : -1;
      return sign * (left.value - right.value);
    })
    .map(({ check }) => check);
}

function findSortKey(
  check: ListedCheck,
  column: Column,
  figures: Figures | undefined,
): number | null {
  switch (column) {
    case 'name':
      return null;
    case 'status':
      return WORST_FIRST.indexOf(check.status);
    case 'uptime24h':
      return figures?.uptime['24h'] ?? null;
    case 'uptime7d':
      return figures?.uptime['7d'] ?? null;
    case 'uptime30d':
      return figures?.uptime['30d'] ?? null;
    case 'p95':
      return figures?.p95Ms ?? null;
    case 'interval':
      return check.interval;
    case 'last':
      return check.lastCheckedAt === null ? null : -Date.parse(check.lastCheckedAt);
    case 'tls':
      return check.tlsExpiresAt === null ? null : Date.parse(check.tlsExpiresAt);
  }
}

export type Grouping = (typeof CHECK_GROUPINGS)[number];

export function readGrouping(text: string | undefined): Grouping {
  return CHECK_GROUPINGS.find((grouping) => grouping === text) ?? 'group';
}

export interface Section {
  readonly name: string;
  readonly checks: readonly ListedCheck[];
}

/**
 * Groups the checks into sections sorted by name, with untagged checks last. If `order` is worst first, or the sections
 * are statuses, the section with the worst check comes first. Within a section, checks keep their order.
 */
export function groupChecks(
  checks: readonly ListedCheck[],
  grouping: Grouping,
  order: Order,
): readonly Section[] {
  if (grouping === 'none') return checks.length === 0 ? [] : [{ name: '', checks }];
  const members = new Map<string, ListedCheck[]>();
  for (const check of checks) {
    for (const name of listNames(check, grouping)) {
      const others = members.get(name);
      if (others === undefined) members.set(name, [check]);
      else others.push(check);
    }
  }
  const isByWorst = grouping === 'status' || isWorstFirst(order);
  return [...members]
    .map(([name, found]) => ({
      name,
      checks: found,
      rank: isByWorst ? WORST_FIRST.indexOf(findWorst(found) ?? 'up') : 0,
    }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.name === NO_TAG) - Number(b.name === NO_TAG) ||
        NAMES.compare(a.name, b.name),
    )
    .map(({ name, checks: found }) => ({ name, checks: found }));
}

/** Returns the worst status among the checks. undefined if there are no checks. */
export function findWorst(checks: readonly ListedCheck[]): Status | undefined {
  const found = new Set(checks.map(({ status }) => status));
  return WORST_FIRST.find((status) => found.has(status));
}

const NO_TAG = 'No tag';

function listNames(check: ListedCheck, grouping: Exclude<Grouping, 'none'>): readonly string[] {
  if (grouping === 'group') return [check.groupKey];
  if (grouping === 'status') return [STATUS_WORDS[check.status]];
  return check.tags.length === 0 ? [NO_TAG] : check.tags;
}

interface WantedPage {
  readonly page: number;
  readonly size: number;
  readonly order: Order;
}

/**
 * Returns the sections on one page of the table. If the page number is too high, returns the last page. If `order` is
 * worst first, the first pages contain the failing rows of all sections.
 */
export function takePage(
  sections: readonly Section[],
  { page, size, order }: WantedPage,
): { readonly shown: readonly Section[]; readonly page: number; readonly pages: number } {
  const rows = sections.flatMap(({ checks }, section) =>
    checks.map((check) => ({ section, check })),
  );
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const current = Math.min(Math.max(1, page), pages);
  const rankUrgency = ({ status }: ListedCheck) => {
    const urgency = URGENT.indexOf(status);
    return urgency < 0 ? URGENT.length : urgency;
  };
  const inOrder = isWorstFirst(order)
    ? rows.toSorted((a, b) => rankUrgency(a.check) - rankUrgency(b.check))
    : rows;
  const onPage = new Set(inOrder.slice((current - 1) * size, current * size));
  const shown = sections.flatMap(({ name }, section) => {
    const checks = rows
      .filter((row) => row.section === section && onPage.has(row))
      .map(({ check }) => check);
    return checks.length === 0 ? [] : [{ name, checks }];
  });
  return { shown, page: current, pages };
}

/** Returns the URL's `page` after going to the next (1) or the previous (-1) page. undefined for the first page. */
export function turnPage(
  text: string | undefined,
  { by, pages }: { readonly by: 1 | -1; readonly pages: number },
): string | undefined {
  const shown = Math.min(Math.max(1, Number(text ?? 1) || 1), pages);
  const next = Math.min(Math.max(1, shown + by), pages);
  return next === 1 ? undefined : String(next);
}

const URGENT: readonly Status[] = ['down', 'degraded'];
