/**
 * Renders Liquid templates of accounts, with limits and without access to files. The worker thread limits the rendering
 * time. Inserted values are escaped for the channel, but the template itself is not.
 */
import { Liquid, LiquidError, type Template } from 'liquidjs';
import { escapeMarkup, type MarkupName } from '../domain/text/markup-escapes';
import type { TemplateTask, TextResult } from './text-task';

/** Maximum length of a template that is parsed. It is twice the documented maximum. */
const PARSED_MAX = 16_000;
const RENDERED_MAX = 64_000;
const MEMORY_MAX = 1_000_000;
/** Tags that are removed, because they load other templates. */
const LOADING_TAGS = ['include', 'render', 'layout', 'block'];

/**
 * Filters that are removed. They evaluate an expression per element or lengthen lists, and no limit of the library
 * stops them.
 */
const COSTLY_FILTERS = /_exp$|^(?:push|concat|unshift)$/;

function createLiquid(markup: MarkupName): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: false,
    parseLimit: PARSED_MAX,
    memoryLimit: MEMORY_MAX,
    outputEscape: (value: unknown) => escapeMarkup(markup, formatValue(value)),
  });
  for (const tag of LOADING_TAGS) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters))
    if (COSTLY_FILTERS.test(filter)) delete liquid.filters[filter];
  return liquid;
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const renderers = new Map<MarkupName, Liquid>();

function requireLiquid(markup: MarkupName): Liquid {
  const liquid = renderers.get(markup) ?? createLiquid(markup);
  renderers.set(markup, liquid);
  return liquid;
}

/**
 * Renders the template. Never throws: if the template fails, returns a fault. If the template cannot be parsed, the
 * fault contains line and column.
 */
export function renderTemplate({ template, values, markup, isStrict }: TemplateTask): TextResult {
  try {
    const liquid = requireLiquid(markup);
    const parsed = liquid.parse(template);
    const unknown = isStrict ? findUnknown(liquid, parsed, values) : undefined;
    if (unknown !== undefined) return { fault: `names ${unknown}, which alerts do not have` };
    const rendered = String(liquid.renderSync(parsed, values));
    if (rendered.length <= RENDERED_MAX) return { rendered };
    return { fault: `gives more than ${RENDERED_MAX} characters` };
  } catch (error) {
    return { fault: describeFault(error) };
  }
}

/** Returns the first name in the template that has no value. undefined if there is none. */
function findUnknown(
  liquid: Liquid,
  parsed: Template[],
  values: TemplateTask['values'],
): string | undefined {
  const paths = liquid.globalVariableSegmentsSync(parsed);
  return paths.find((path) => !isKnown(path, values))?.join('.');
}

/** Describes why a template failed. Messages of the library already contain line and column. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'is not valid Liquid';
  const [first = ''] = error.message.split('\n');
  const message = first.replace(/, line:(\d+), col:(\d+).*$/, ' (line $1, column $2)');
  return LiquidError.is(error) ? `is not valid Liquid: ${message}` : `fails: ${message}`;
}

/** True if the path leads to a known value. Elements of lists are not checked. */
function isKnown(path: readonly unknown[], values: unknown): boolean {
  const [name, ...rest] = path;
  if (typeof name !== 'string' || typeof values !== 'object' || values === null) return true;
  if (Array.isArray(values)) return true;
  const entry = Object.entries(values).find(([known]) => known === name);
  return entry !== undefined && isKnown(rest, entry[1]);
}
