/** The fields of a monitor, the common ones open and the rest folded. */
import { Accordion, Card, Grid, Stack, TagsInput, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { BODY_FIELDS } from '../../../../contracts/definition';
import { AlertsField } from '../../../shared/form/alerts-field';
import { AssertionsField } from '../../../shared/form/assertions-field';
import { BodyField } from '../../../shared/form/body-field';
import { HeadersField } from '../../../shared/form/headers-field';
import {
  fieldAt,
  fieldWithin,
  hasProblemUnder,
  type Problems,
  problemAt,
} from '../../../shared/form/problems';
import { bodyField } from '../../../shared/form/rows';
import { ADVANCED_FIELDS, isAdvancedBroken } from './check-draft';
import { MonitorAdvanced } from './monitor-advanced';
import { MonitorBasics } from './monitor-basics';
import type { MonitorDraft } from './monitor-draft';

export interface MonitorFieldsProps {
  readonly draft: MonitorDraft;
  readonly onChange: (next: MonitorDraft) => void;
  readonly problems: Problems;
}

export function MonitorFields({ draft, onChange, problems }: MonitorFieldsProps) {
  const set = (patch: Partial<MonitorDraft>): void => onChange({ ...draft, ...patch });
  const canHaveBody = draft.method !== 'GET' && draft.method !== 'HEAD';
  const [opened, setOpened] = useState<string[]>(() =>
    draft.headers.length > 0 ? ['request'] : [],
  );
  const broken = [
    ...(['headers', ...BODY_FIELDS].some((field) => hasProblemUnder(problems, field))
      ? ['request']
      : []),
    ...(isAdvancedBroken(problems) ? ['advanced'] : []),
  ];
  return (
    <Stack>
      <MonitorBasics draft={draft} onChange={onChange} problems={problems} />
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          Assertions
        </Title>
        <AssertionsField
          value={draft.assertions}
          onChange={(assertions) => set({ assertions })}
          problems={problems}
          path="assertions"
        />
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          Alerts
        </Title>
        <AlertsField
          value={draft.alerts}
          onChange={(alerts) => set({ alerts })}
          problems={problems}
        />
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          Group and tags
        </Title>
        <Grid gap="sm">
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <TextInput
              label="Group"
              description="Use / to nest: shop/checkout"
              placeholder="Domain of the URL"
              value={draft.group}
              onChange={({ currentTarget }) => set({ group: currentTarget.value })}
              {...fieldAt(problems, 'group')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <TagsInput
              label="Tags"
              description="Press Enter after each"
              value={[...draft.tags]}
              onChange={(tags) => set({ tags })}
              {...fieldWithin(problems, 'tags')}
              acceptValueOnBlur
            />
          </Grid.Col>
        </Grid>
      </Card>
      <Accordion
        multiple
        variant="contained"
        value={[...new Set([...opened, ...broken])]}
        onChange={setOpened}
        keepMounted={false}
      >
        <Accordion.Item value="request">
          <Accordion.Control data-holds={['headers', ...BODY_FIELDS].join(' ')}>
            Headers{canHaveBody ? ' and body' : ''}
          </Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <HeadersField
                value={draft.headers}
                onChange={(headers) => set({ headers })}
                problems={problems}
                path="headers"
              />
              {canHaveBody && (
                <BodyField
                  label="Body"
                  path={bodyField(draft.body.mode)}
                  value={draft.body}
                  onChange={(body) => set({ body })}
                  problem={problemAt(problems, bodyField(draft.body.mode))}
                />
              )}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="advanced">
          <Accordion.Control data-holds={ADVANCED_FIELDS.join(' ')}>Advanced</Accordion.Control>
          <Accordion.Panel>
            <MonitorAdvanced draft={draft} onChange={onChange} problems={problems} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
