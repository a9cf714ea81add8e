/** Settings that most channels do not need. Collapsed until the user opens them, or one is set or invalid. */
import { Accordion, Stack } from '@mantine/core';
import { useState } from 'react';
import { faultAt } from '../../../shared/text/faults';
import { buildTemplate, hasAdvanced } from './channel-draft';
import { ConfigFields, type ConfigFieldsProps } from './config-fields';
import { RuleFields } from './rule-fields';
import { TemplateFields, TemplatePreview } from './template-fields';

const SECTION = 'advanced';
/** Advanced fields of every channel type. A type may have further fields. */
const EVERYWHERE = ['template', 'onlyKinds', 'fallback', 'fallbackAfterMinutes'];

/** `fields` are all fields of the channel type. */
export function AdvancedFields(props: ConfigFieldsProps) {
  const { draft, onChange, channel, fields, refusal } = props;
  const [isUnfolded, setIsUnfolded] = useState(() => hasAdvanced(draft, channel, fields));
  const own = fields.filter(({ isAdvanced }) => isAdvanced);
  const names = [...EVERYWHERE, ...own.map(({ name }) => name)];
  const hasFault = names.some((name) => faultAt(refusal, name) !== null);
  const template = buildTemplate(draft, fields, channel);
  return (
    <Accordion
      variant="contained"
      keepMounted={false}
      value={isUnfolded || hasFault ? SECTION : null}
      onChange={(value) => setIsUnfolded(value === SECTION)}
    >
      <Accordion.Item value={SECTION}>
        <Accordion.Control>Advanced</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            <ConfigFields {...props} fields={own} />
            {!fields.some(({ name }) => name === 'template') && (
              <TemplateFields
                draft={draft}
                onChange={onChange}
                fault={faultAt(refusal, 'template')}
              />
            )}
            {template !== null && <TemplatePreview type={draft.type} template={template} />}
            <RuleFields
              draft={draft}
              onChange={onChange}
              channel={channel}
              fault={(field) => faultAt(refusal, field)}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
