/** The page `/docs`: every operation with its samples, input and responses. */
import { ERROR_MEANINGS, ERROR_STATUSES } from '../../../contracts/error-codes';
import type { OpenApiDocument } from '../../openapi/document';
import { escapeHtml } from '../escape-html';
import type { Schemas } from './example';
import { renderField, renderFieldList, renderInline, renderType } from './field-html';
import { type Field, listFields, listVariants, type Schema } from './field-list';
import { SCHEMA_GROUPS, withText } from './fields-page';
import { type FrameOptions, renderFrame, type Section } from './frame';
import { listOperations, type Operation } from './operations';
import { LANGUAGES, renderSample } from './samples';

const INTRO =
  'Send an API key from <a href="/settings/api-keys">Settings</a> as <code>Authorization: Bearer kw_…</code>. The samples read it from <code>KEEPWATCH_API_KEY</code>. Replace words in capitals, such as <code>MONITOR_ID</code>. <a href="/docs/api.md">The guide to the API</a> explains pages, versions and safe retries; <a href="#error-codes">Error codes</a> says what to do after an error.';

export function renderOperationsPage(document: OpenApiDocument, options: FrameOptions): string {
  const operations = listOperations(document);
  const origin = document.servers?.[0]?.url ?? '';
  const { schemas = {} } = document.components ?? {};
  const tags = (document.tags ?? []).map(({ name, description = '' }): Section => {
    const own = operations.filter(({ tag }) => tag === name).sort(byPath);
    const items = own.map((operation) => operationHtml(operation, { origin, schemas }));
    return {
      anchor: buildAnchor(name),
      title: name,
      body: `<p>${renderInline(description)}</p>\n${items.join('\n')}`,
    };
  });
  const sections = [
    ...tags,
    { anchor: 'error-codes', title: 'Error codes', body: errorsHtml() },
    { anchor: 'objects', title: 'Objects', body: objectsHtml(document) },
  ];
  const filterLabel = 'Filter operations, error codes and objects';
  return renderFrame(
    { path: '/docs', title: 'API reference', intro: INTRO, filterLabel, sections },
    options,
  );
}

/** Sorts a list before its objects, and fixed paths before paths with ids. */
function byPath({ path: a }: Operation, { path: b }: Operation): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function buildAnchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
}

function buildHref(name: string): string {
  const group = SCHEMA_GROUPS.get(name);
  return group === undefined ? `#${name}` : `/docs/fields#${group}`;
}

interface Scene {
  readonly origin: string;
  readonly schemas: Schemas;
}

function operationHtml(operation: Operation, { origin, schemas }: Scene): string {
  const { id, method, path, summary, description, guide, isDeprecated } = operation;
  const more =
    guide === null ? '' : `<p><a href="${escapeHtml(guide)}">Read more in the guide</a></p>`;
  const mark = isDeprecated ? ' <em>deprecated</em>' : '';
  const words = escapeHtml(`${method} ${path} ${id} ${summary}`.toLowerCase());
  return `<details id="${id}" data-words="${words}">
<summary><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> <span>${renderInline(summary)}</span>${mark}</h3></summary>
<p>${renderInline(description)}</p>
<div class="columns">
${samplesHtml(operation, origin)}
<div>
${more}
${PARAMETERS.map(([where, title]) => part(title, renderParameters(operation, where))).join('\n')}
${part('Body', renderBody(operation, schemas))}
${part('Responses', renderFieldList(operation.responses.map(responseHtml)))}
${operation.responses.map(exampleHtml).join('')}
</div>
</div>
</details>`;
}

const PARAMETERS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function part(title: string, body: string): string {
  return body === '' ? '' : `<h4>${title}</h4>\n${body}`;
}

function renderParameters({ parameters }: Operation, where: string): string {
  const placed = parameters.filter((parameter) => parameter.in === where);
  const items = placed.map(({ name: path, required, schema = {}, ...given }) => {
    const description = given.description ?? schema.description ?? '';
    const isRequired = required === true;
    return renderField(
      { path, schemas: [schema], isRequired, only: [], description },
      null,
      buildHref,
    );
  });
  return renderFieldList(items);
}

/** A body with at most this many optional fields shows them all. */
const OPEN_FIELDS_MAX = 5;

/**
 * Renders the fields of the body, also of a named body. If a body has many optional fields, they are folded. The type of
 * a field can still be a link to a named schema.
 */
function renderBody({ body }: Operation, schemas: Schemas): string {
  if (body === null) return '';
  const optional = body.isRequired ? '' : ' Optional.';
  const name = '$ref' in body.schema ? ` ${renderType(body.schema, buildHref)}.` : '';
  const fields = listFields({ anyOf: [...listNamed(body.schema, schemas)] });
  const required = listRequired(fields);
  const others = fields.filter((field) => !required.includes(field));
  const list = (some: readonly Field[]) =>
    renderFieldList(some.map((field) => renderField(withText(field, schemas), null, buildHref)));
  const lists =
    others.length > OPEN_FIELDS_MAX
      ? `${list(required)}<details><summary>${others.length} optional fields</summary>${list(others)}</details>`
      : list(fields);
  return `<p><code>${body.mediaType}</code>.${name}${optional}</p>\n${fields.length === 0 ? shapeHtml(body.schema) : lists}`;
}

/** Lists the variants of a schema, with their fields instead of their names. */
function listNamed(schema: Schema, schemas: Schemas): readonly Schema[] {
  return listVariants(schema).flatMap((variant) =>
    variant.$ref === undefined
      ? [variant]
      : listNamed(schemas[variant.$ref.replace(/^.*\//, '')] ?? {}, schemas),
  );
}

/** Returns the fields that are required, or are inside a required field of the body. */
function listRequired(fields: readonly Field[]): readonly Field[] {
  const names = new Set(fields.flatMap(({ path, isRequired }) => (isRequired ? path : [])));
  return fields.filter(({ path }) => names.has(path.replace(/\..*$/, '')));
}

function responseHtml({
  status,
  description,
  mediaType,
  schema,
}: Operation['responses'][number]): string {
  const isProblem = mediaType === 'application/problem+json';
  const shape = mediaType === null || isProblem ? '' : shapeHtml(schema);
  const about = renderInline(description);
  const text = isProblem ? about.replaceAll(CODE, linkToError) : about;
  return `<div><dt><code>${status}</code></dt><dd>${text}${shape}</dd></div>`;
}

/** Renders the example of a response, folded. Empty if there is none. */
function exampleHtml({ status, example }: Operation['responses'][number]): string {
  if (example === undefined) return '';
  const json = escapeHtml(JSON.stringify(example, null, 2));
  return `<details><summary>Example of <code>${status}</code></summary><pre><code>${json}</code></pre></details>`;
}

/**
 * Renders the fields of the schema. A schema without fields is rendered as its type, with links to named schemas. Empty
 * for an empty schema.
 */
function shapeHtml(schema: Schema): string {
  const fields = listFields(schema);
  if (fields.length > 0)
    return renderFieldList(fields.map((field) => renderField(field, null, buildHref)));
  return Object.keys(schema).length === 0
    ? ''
    : `<p class="type">${renderType(schema, buildHref)}</p>`;
}

function samplesHtml(operation: Operation, origin: string): string {
  const buttons = LANGUAGES.map(
    ({ language, name }) => `<button type="button" data-language="${language}">${name}</button>`,
  );
  const samples = LANGUAGES.map(({ language }) => {
    const sample = escapeHtml(renderSample(operation, origin, language));
    return `<pre data-sample="${language}"><code>${sample}</code></pre>`;
  });
  return `<div class="samples">
<div role="group" aria-label="Language of the samples">${buttons.join('')}<button type="button" data-copy>Copy</button></div>
${samples.join('\n')}
</div>`;
}

const CODE = /<code>(\w+)<\/code>/g;

function linkToError(text: string, code: string): string {
  return `<a href="#error-${code}">${text}</a>`;
}

/** Renders each error code with its status, its meaning and what to do. */
function errorsHtml(): string {
  const statuses = new Map<string, number>(Object.entries(ERROR_STATUSES));
  const items = Object.entries(ERROR_MEANINGS).map(([code, { meaning, action }]) => {
    const status = statuses.get(code);
    const words = escapeHtml(`${code} ${status} ${meaning} ${action}`.toLowerCase());
    return `<div id="error-${code}" data-words="${words}"><dt><code>${code}</code> ${status}</dt><dd>${renderInline(meaning)}<br>${renderInline(action)}</dd></div>`;
  });
  return `<p>Every error is <code>application/problem+json</code>. Distinguish errors by <code>code</code>; <code>detail</code> says in words what is wrong.</p>
${renderFieldList(items)}`;
}

/** Renders the schemas that operations use and that the fields page does not describe. */
function objectsHtml({ components = {} }: OpenApiDocument): string {
  const own = Object.entries(components.schemas ?? {}).filter(([name]) => !SCHEMA_GROUPS.has(name));
  const items = own
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([name, schema]) => `<details id="${name}" data-words="${name.toLowerCase()}">
<summary><h3><code>${name}</code></h3></summary>
${shapeHtml(schema)}
</details>`,
    );
  return items.join('\n');
}
