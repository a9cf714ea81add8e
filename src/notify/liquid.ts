/**
 * Templates of accounts in Liquid: no files, no tags that load any, and bounds on their length, their
 * time and their memory. What a template puts in is escaped by the channel; what it says itself is not.
 */
import { Liquid, LiquidError, type Template } from 'liquidjs';

/** One template, and what comes of it. */
export const TEMPLATE_MAX = 8_000;
const RENDERED_MAX = 64_000;
const RENDER_MS_MAX = 50;
const MEMORY_MAX = 1_000_000;
/** Tags that read other templates. */
const LOADING_TAGS = ['include', 'render', 'layout', 'block'];

/** Filters that evaluate an expression for each element, and such that make lists longer: their cost is not bounded by the text. */
const COSTLY_FILTERS = /_exp$|^(?:push|concat|unshift)$/;

export type Escape = (text: string) => string;

type Rendering =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

function createEngine(escapeText: Escape): Liquid {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: false,
    parseLimit: 2 * TEMPLATE_MAX,
    renderLimit: RENDER_MS_MAX,
    memoryLimit: MEMORY_MAX,
    outputEscape: (value: unknown) => escapeText(textOf(value)),
  });
  for (const tag of LOADING_TAGS) delete engine.tags[tag];
  for (const filter of Object.keys(engine.filters))
    if (COSTLY_FILTERS.test(filter)) delete engine.filters[filter];
  return engine;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const engines = new Map<Escape, Liquid>();

function engineOf(escapeText: Escape): Liquid {
  const engine = engines.get(escapeText) ?? createEngine(escapeText);
  engines.set(escapeText, engine);
  return engine;
}

const asIs: Escape = (text) => text;

/**
 * Why the template cannot be used, with line and column, or null. `values` are all that it can name,
 * with nothing left empty.
 */
export function findTemplateFault(text: string, values: object): string | null {
  const engine = engineOf(asIs);
  let parsed: Template[];
  try {
    parsed = engine.parse(text);
  } catch (error) {
    return faultOf(error);
  }
  const unknown = engine.globalVariableSegmentsSync(parsed).find((path) => !isKnown(path, values));
  return unknown === undefined ? null : `names ${unknown.join('.')}, which no alert has`;
}

/** Never throws: a template that fails says why. */
export function renderTemplate(text: string, values: object, escapeText: Escape = asIs): Rendering {
  try {
    const engine = engineOf(escapeText);
    const rendered = String(engine.parseAndRenderSync(text, values));
    if (rendered.length <= RENDERED_MAX) return { ok: true, text: rendered };
    return { ok: false, message: `gives more than ${RENDERED_MAX} characters` };
  } catch (error) {
    return { ok: false, message: faultOf(error) };
  }
}

/** The words of the library name the place already. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read as Liquid';
  const [first = ''] = error.message.split('\n');
  const message = first.replace(/, line:(\d+), col:(\d+).*$/, ' (line $1, column $2)');
  return LiquidError.is(error) ? `cannot be read as Liquid: ${message}` : `fails: ${message}`;
}

/** Lists and what lies in them are taken as they come. */
function isKnown(path: readonly unknown[], values: unknown): boolean {
  const [name, ...rest] = path;
  if (typeof name !== 'string' || typeof values !== 'object' || values === null) return true;
  if (Array.isArray(values)) return true;
  const entry = Object.entries(values).find(([known]) => known === name);
  return entry !== undefined && isKnown(rest, entry[1]);
}
