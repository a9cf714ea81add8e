/**
 * The page `/docs/fields`: the meaning of each field of a definition, from the schema that validates it. Each field has
 * a URL, to which the dashboard's forms link.
 */
import { NETWORK_KINDS } from '../../../contracts/kinds';
import { nameBody } from '../../../kinds/bodies';
import { KIND_SHAPES } from '../../../kinds/shapes';
import { findChannel } from '../../../notify/channels/registry';
import type { OpenApiDocument } from '../../openapi/document';
import { renderField, renderFieldList, renderType } from './field-html';
import { type Field, listConstants, listFields, listVariants, type Schema } from './field-list';
import { type FrameOptions, renderFrame, type Section } from './frame';

const INTRO =
  'The same in the dashboard, in the API, and in <a href="/v1/schema.json">files</a>. A field that is not required may be left out.';

interface Group {
  readonly anchor: string;
  readonly title: string;
  readonly schema: string;
}

const GROUPS: readonly Group[] = [
  {
    anchor: 'monitor',
    title: 'Monitor',
    schema: 'HttpMonitorBody',
  },
  {
    anchor: 'heartbeat',
    title: 'Heartbeat',
    schema: 'HeartbeatMonitorBody',
  },
  ...NETWORK_KINDS.map((type) => ({
    anchor: type,
    title: KIND_SHAPES[type].words.title,
    schema: nameBody(type),
  })),
  { anchor: 'scenario', title: 'Scenario', schema: 'ScenarioBody' },
  { anchor: 'step', title: 'Step', schema: 'Step' },
  { anchor: 'requestTls', title: 'TLS of a request', schema: 'RequestTls' },
  { anchor: 'part', title: 'Multipart part', schema: 'MultipartPart' },
  { anchor: 'assertion', title: 'Assertion', schema: 'Assertion' },
  { anchor: 'extraction', title: 'Extraction', schema: 'Extraction' },
  { anchor: 'variable', title: 'Variable', schema: 'Variable' },
  { anchor: 'alerts', title: 'Alerts', schema: 'Alerts' },
  { anchor: 'policy', title: 'Alert policy', schema: 'AlertPolicyBody' },
  { anchor: 'hours', title: 'Hours', schema: 'HoursBody' },
  { anchor: 'profiles', title: 'Profiles', schema: 'ProfileBody' },
  { anchor: 'template', title: 'Message template', schema: 'MessageTemplate' },
];

const CHANNEL = { anchor: 'channel', title: 'Alert channel', schema: 'AlertChannelBody' };

/** Maps the name of a schema, or of its PATCH variant, to the anchor of its fields. */
export const SCHEMA_GROUPS: ReadonlyMap<string, string> = new Map([
  ...[CHANNEL, ...GROUPS].flatMap(({ schema, anchor }): readonly [string, string][] => [
    [schema, anchor],
    [schema.replace(/Body$/, 'Patch'), anchor],
  ]),
  ['MonitorPatch', 'monitor'],
]);

function buildHref(name: string): string {
  const group = SCHEMA_GROUPS.get(name);
  return group === undefined ? `/docs#${name}` : `#${group}`;
}

export interface DescribedField extends Field {
  /** The anchor of the field, for example `monitor.alerts.channels`. */
  readonly anchor: string;
}

interface DescribedGroup extends Pick<Group, 'anchor' | 'title'> {
  readonly about: string;
  readonly fields: readonly DescribedField[];
}

/** Returns every group with its fields, in the order of the page. */
export function listDescribedGroups({
  components = {},
}: OpenApiDocument): readonly DescribedGroup[] {
  const { schemas = {} } = components;
  const groups = GROUPS.map(({ anchor, title, schema }) => {
    const shape = schemas[schema] ?? {};
    const fields = listFields(shape).map((field) => withText(field, schemas));
    const others = listVariants(shape).filter(({ properties }) => properties === undefined);
    const about = others.length === 0 ? '' : `Or ${renderType({ anyOf: [...others] }, buildHref)}.`;
    return { anchor, title, about, fields: anchored(anchor, fields) };
  });
  return [...groups, ...channelGroups(schemas[CHANNEL.schema] ?? {})];
}

/** Gives a field without a description the description of the schema that it references. */
export function withText(field: Field, schemas: Readonly<Record<string, Schema>>): Field {
  if (field.description !== '') return field;
  const texts = field.schemas.map(
    ({ $ref = '' }) => schemas[$ref.replace(/^.*\//, '')]?.description ?? '',
  );
  return { ...field, description: texts.find((text) => text !== '') ?? '' };
}

/** Lists the fields of channels: first the fields of all types, then the fields of each type. */
function channelGroups(schema: Schema): readonly DescribedGroup[] {
  const types = listVariants(schema);
  const [first = {}] = types;
  const isCommon = (name: string): boolean =>
    name !== 'type' && types.every(({ properties = {} }) => name in properties);
  const isAsInFirst = (name: string, field: Schema): boolean =>
    JSON.stringify(first.properties?.[name]) === JSON.stringify(field);
  const pick = (type: Schema, isWanted: (name: string, field: Schema) => boolean): Schema => ({
    ...type,
    properties: Object.fromEntries(
      Object.entries(type.properties ?? {}).filter(([name, field]) => isWanted(name, field)),
    ),
  });
  const common = listFields(pick(first, isCommon));
  const own = types.map((type): DescribedGroup => {
    const [name = ''] = listConstants(type);
    const fields = listFields(
      pick(type, (field, shape) => !isCommon(field) || !isAsInFirst(field, shape)),
    );
    const anchor = `${CHANNEL.anchor}.${name}`;
    const title = `Channel: ${findChannel(name)?.label ?? name}`;
    return { anchor, title, about: '', fields: anchored(anchor, fields) };
  });
  return [{ ...CHANNEL, about: '', fields: anchored(CHANNEL.anchor, common) }, ...own];
}

function anchored(group: string, fields: readonly Field[]): readonly DescribedField[] {
  return fields.map((field) => ({ ...field, anchor: `${group}.${field.path}` }));
}

export function renderFieldsPage(document: OpenApiDocument, options: FrameOptions): string {
  const sections = listDescribedGroups(document).map(
    ({ anchor, title, about, fields }): Section => {
      const items = fields.map((field) => renderField(field, field.anchor, buildHref));
      return {
        anchor,
        title,
        body: `${about === '' ? '' : `<p>${about}</p>`}${renderFieldList(items)}`,
      };
    },
  );
  const filterLabel = 'Filter fields';
  return renderFrame(
    { path: '/docs/fields', title: 'Fields', intro: INTRO, filterLabel, sections },
    options,
  );
}
