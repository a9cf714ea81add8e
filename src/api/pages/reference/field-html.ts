/** Fields and their types as HTML, for both pages of the reference. */
import { escapeHtml } from '../escape-html';
import { type Field, listVariants, type Schema } from './field-list';

/** Returns the URL at which a schema is described. */
export type BuildHref = (name: string) => string;

/** Escapes the text, and renders parts in backticks as `<code>`. */
export function renderInline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}

/** Renders a field. `anchor` is the fragment of its URL. null means that the field has no URL. */
export function renderField(field: Field, anchor: string | null, buildHref: BuildHref): string {
  const { path, schemas, isRequired, only, description } = field;
  const id =
    anchor === null
      ? ''
      : ` id="${anchor}" data-words="${escapeHtml(`${anchor} ${description}`.toLowerCase())}"`;
  const name = anchor === null ? code(path) : `<a href="#${anchor}">${code(path)}</a>`;
  const notes = [
    renderType({ anyOf: [...schemas] }, buildHref),
    ...(isRequired ? ['required'] : []),
    ...(only.length > 0 ? [`of ${only.map(code).join(', ')}`] : []),
  ];
  const about = description === '' || isChoice(schemas) ? '' : `<br>${renderInline(description)}`;
  return `<div${id}><dt>${name}</dt><dd><span class="type">${notes.join('; ')}</span>${about}</dd></div>`;
}

/** True if each variant has its own constant. Then each description is about one constant, not about the field. */
function isChoice(schemas: readonly Schema[]): boolean {
  return schemas.length > 1 && schemas.every((schema) => schema.const !== undefined);
}

/** Renders a description list. Empty if there are no items. */
export function renderFieldList(items: readonly string[]): string {
  return items.length === 0 ? '' : `<dl>\n${items.join('\n')}\n</dl>`;
}

/** Renders a type in words, for example `list of texts (1 to 32 characters each), at most 20 entries, or null`. */
export function renderType(schema: Schema, buildHref: BuildHref): string {
  const variants = listVariants(schema);
  const isNullable = variants.some(({ type }) => type === 'null');
  const words = variants
    .filter(({ type }) => type !== 'null')
    .flatMap((variant) => renderNames(variant, buildHref));
  const text = joinWords([...new Set(words)]);
  if (!isNullable) return text;
  if (text === '') return 'null';
  return `${text}${/, | or |^(?:list|map) of /.test(text) ? ',' : ''} or null`;
}

/** Joins words, for example `a, b or c`. */
function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function renderNames(schema: Schema, buildHref: BuildHref): readonly string[] {
  const { $ref, type = 'any JSON' } = schema;
  const name = $ref?.slice($ref.lastIndexOf('/') + 1);
  if (name !== undefined) return [`<a href="${buildHref(name)}">${name}</a>`];
  if (schema.enum !== undefined) return schema.enum.map(code);
  if (schema.const !== undefined) return [code(schema.const)];
  return [type].flat().map((each) => typeWords(each, schema, buildHref));
}

function typeWords(type: string, schema: Schema, buildHref: BuildHref): string {
  const { items, additionalProperties, minItems, maxItems } = schema;
  if (type === 'array')
    return `list of ${manyHtml(items ?? {}, buildHref)}${formatEntries(minItems, maxItems)}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    const { minProperties, maxProperties } = schema;
    const values = manyHtml(additionalProperties, buildHref);
    return `map of ${values}${formatEntries(minProperties, maxProperties)}`;
  }
  const limits = formatLimits(type, schema);
  return `${WORDS.get(type)?.one ?? type}${limits === '' ? '' : ` (${limits})`}`;
}

const WORDS: ReadonlyMap<string, { readonly one: string; readonly many: string }> = new Map([
  ['string', { one: 'text', many: 'texts' }],
  ['integer', { one: 'integer', many: 'integers' }],
  ['number', { one: 'number', many: 'numbers' }],
  ['boolean', { one: 'boolean', many: 'booleans' }],
  ['object', { one: 'object', many: 'objects' }],
]);

/** Renders the type of entries. A simple type is in the plural, and its limits apply to each entry. */
function manyHtml(schema: Schema, buildHref: BuildHref): string {
  const { type, $ref, enum: choices, additionalProperties } = schema;
  const [variant] = listVariants(schema);
  const words = typeof type === 'string' ? WORDS.get(type) : undefined;
  const isMap = typeof additionalProperties === 'object';
  const isNamed = $ref !== undefined || choices !== undefined;
  if (words === undefined || variant !== schema || isNamed || isMap)
    return renderType(schema, buildHref).replace(/^(list|map) of /, '$1s of ');
  const limits = typeof type === 'string' ? formatLimits(type, schema) : '';
  return `${words.many}${limits === '' ? '' : ` (${limits} each)`}`;
}

/** A limit of at least this value comes from the number type, not from the field, so it is not shown. */
const LARGEST = Number.MAX_SAFE_INTEGER;

function formatEntries(min?: number, max?: number): string {
  const unit = (max ?? min) === 1 ? ' entry' : ' entries';
  const range = formatRange(min, max, unit);
  return range === '' ? '' : `, ${range}`;
}

function formatLimits(type: string, schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, format = '' } = schema;
  if (type === 'string')
    return formatRange(minLength, maxLength, ' characters') || escapeHtml(format);
  if (type === 'integer' || type === 'number') return formatRange(minimum, maximum, '');
  return '';
}

function formatRange(min = -LARGEST, max = LARGEST, unit: string): string {
  if (min === max) return `${max}${unit}`;
  if (max < LARGEST)
    return min > 0 || unit === '' ? `${min} to ${max}${unit}` : `at most ${max}${unit}`;
  return min > -LARGEST && min !== 0 ? `at least ${min}${unit}` : '';
}
