/** The page `/docs`: every operation with its samples, input and responses. */
import type { OpenApiDocument } from '../../openapi/document';
import { escapeHtml } from '../escape-html';
import { fieldHtml, inline, listHtml, typeHtml } from './field-html';
import { listFields, type Schema } from './field-list';
import { GROUP_OF_SCHEMA } from './fields-page';
import { type FrameOptions, renderFrame, type Section } from './frame';
import { listOperations, type Operation } from './operations';
import { LANGUAGES, renderSample } from './samples';

const INTRO =
  'Requests carry an API key of <a href="/settings/api-keys">Settings</a>: <code>Authorization: Bearer kw_…</code>. Samples take it from <code>KEEPWATCH_API_KEY</code>; words like <code>MONITOR_ID</code> are yours to replace.';

export function renderOperationsPage(document: OpenApiDocument, options: FrameOptions): string {
  const operations = listOperations(document);
  const origin = document.servers?.[0]?.url ?? '';
  const tags = (document.tags ?? []).map(({ name, description = '' }): Section => {
    const own = operations.filter(({ tag }) => tag === name);
    const items = own.map((operation) => operationHtml(operation, origin));
    return {
      anchor: buildAnchor(name),
      title: name,
      body: `<p>${inline(description)}</p>\n${items.join('\n')}`,
    };
  });
  const sections = [...tags, { anchor: 'objects', title: 'Objects', body: objectsHtml(document) }];
  const filterLabel = 'Filter operations and objects';
  return renderFrame(
    { path: '/docs', title: 'API reference', intro: INTRO, filterLabel, sections },
    options,
  );
}

function buildAnchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
}

function buildHref(name: string): string {
  const group = GROUP_OF_SCHEMA.get(name);
  return group === undefined ? `#${name}` : `/docs/fields#${group}`;
}

function operationHtml(operation: Operation, origin: string): string {
  const { id, method, path, summary, description, isDeprecated } = operation;
  const mark = isDeprecated ? ' <em>deprecated</em>' : '';
  const words = escapeHtml(`${method} ${path} ${id} ${summary}`.toLowerCase());
  return `<details id="${id}" data-words="${words}">
<summary><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> <span>${inline(summary)}</span>${mark}</h3></summary>
<p>${inline(description)}</p>
<div class="columns">
${samplesHtml(operation, origin)}
<div>
${part('Parameters', renderParameters(operation))}
${part('Body', renderBody(operation))}
${part('Responses', listHtml(operation.responses.map(responseHtml)))}
${operation.responses.map(exampleHtml).join('')}
</div>
</div>
</details>`;
}

function part(title: string, body: string): string {
  return body === '' ? '' : `<h4>${title}</h4>\n${body}`;
}

function renderParameters({ parameters }: Operation): string {
  const items = parameters.map(({ name: path, in: where, required, schema = {}, ...given }) => {
    const about = given.description ?? schema.description;
    const description = `In the ${where}${about === undefined ? '' : `. ${about}`}`;
    const isRequired = required === true;
    return fieldHtml(
      { path, schemas: [schema], isRequired, only: [], description },
      null,
      buildHref,
    );
  });
  return listHtml(items);
}

function renderBody({ body }: Operation): string {
  if (body === null) return '';
  const optional = body.isRequired ? '' : ' Optional.';
  return `<p><code>${body.mediaType}</code>.${optional}</p>\n${shapeHtml(body.schema)}`;
}

function responseHtml({
  status,
  description,
  mediaType,
  schema,
}: Operation['responses'][number]): string {
  const isProblem = mediaType === 'application/problem+json';
  const shape = mediaType === null || isProblem ? '' : shapeHtml(schema);
  return `<div><dt><code>${status}</code></dt><dd>${inline(description)}${shape}</dd></div>`;
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
  if (fields.length > 0) return listHtml(fields.map((field) => fieldHtml(field, null, buildHref)));
  return Object.keys(schema).length === 0
    ? ''
    : `<p class="type">${typeHtml(schema, buildHref)}</p>`;
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

/** Renders the schemas that operations use and that the fields page does not describe. */
function objectsHtml({ components = {} }: OpenApiDocument): string {
  const own = Object.entries(components.schemas ?? {}).filter(
    ([name]) => !GROUP_OF_SCHEMA.has(name),
  );
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
