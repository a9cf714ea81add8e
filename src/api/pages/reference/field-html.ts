/** Fields and their types as HTML, for both pages of the reference. */
import { escapeHtml } from '../escape-html';
import { type Field, listVariants, type Schema } from './field-list';

/** Returns the URL of the description of a schema. */
export type HrefOf = (name: string) => string;

/** Escapes the text, and renders parts in backticks as `<code>`. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}

/** Renders a field. `anchor` is the fragment of its URL. null means that the field has no URL. */
export function fieldHtml(field: Field, anchor: string | null, hrefOf: HrefOf): string {
  const { path, schemas, isRequired, only, description } = field;
  const id =
    anchor === null
      ? ''
      : ` id="${anchor}" data-words="${escapeHtml(`${anchor} ${description}`.toLowerCase())}"`;
  const name = anchor === null ? code(path) : `<a href="#${anchor}">${code(path)}</a>`;
  const notes = [
    typeHtml({ anyOf: [...schemas] }, hrefOf),
    ...(isRequired ? ['required'] : []),
    ...(only.length > 0 ? [`of ${only.map(code).join(', ')}`] : []),
  ];
  const about = description === '' ? '' : `<br>${inline(description)}`;
  return `<div${id}><dt>${name}</dt><dd><span class="type">${notes.join('; ')}</span>${about}</dd></div>`;
}

/** Renders a description list. Empty if there are no items. */
export function listHtml(items: readonly string[]): string {
  return items.length === 0 ? '' : `<dl>\n${items.join('\n')}\n</dl>`;
}

export function typeHtml(schema: Schema, hrefOf: HrefOf): string {
  return [...new Set(listVariants(schema).flatMap((variant) => renderNames(variant, hrefOf)))].join(
    ' or ',
  );
}

function renderNames(schema: Schema, hrefOf: HrefOf): readonly string[] {
  const { $ref, type = 'any JSON' } = schema;
  const name = $ref?.slice($ref.lastIndexOf('/') + 1);
  if (name !== undefined) return [`<a href="${hrefOf(name)}">${name}</a>`];
  if (schema.enum !== undefined) return schema.enum.map(code);
  if (schema.const !== undefined) return [code(schema.const)];
  return [type]
    .flat()
    .map((each) => `${typeName(each, schema, hrefOf)}${formatBounds(each, schema)}`);
}

function typeName(type: string, { items, additionalProperties }: Schema, hrefOf: HrefOf): string {
  if (type === 'array') return `list of ${items === undefined ? 'any' : typeHtml(items, hrefOf)}`;
  if (type !== 'object' || typeof additionalProperties !== 'object') return type;
  return `map of ${typeHtml(additionalProperties, hrefOf)}`;
}

/** A limit of at least this value comes from the number type, not from the field, so it is not shown. */
const LARGEST = Number.MAX_SAFE_INTEGER;

function formatBounds(type: string, schema: Schema): string {
  if (type === 'string')
    return formatRange(schema.minLength, schema.maxLength, ' characters') || formatFormat(schema);
  if (type === 'array') return formatRange(schema.minItems, schema.maxItems, ' entries');
  if (type === 'object') return formatRange(schema.minProperties, schema.maxProperties, ' entries');
  if (type === 'integer' || type === 'number')
    return formatRange(schema.minimum, schema.maximum, '');
  return '';
}

function formatFormat({ format }: Schema): string {
  return format === undefined ? '' : ` (${escapeHtml(format)})`;
}

function formatRange(min = -LARGEST, max = LARGEST, unit: string): string {
  if (max < LARGEST)
    return min > 0 || unit === '' ? `, ${min} to ${max}${unit}` : `, at most ${max}${unit}`;
  return min > -LARGEST && min !== 0 ? `, at least ${min}${unit}` : '';
}
