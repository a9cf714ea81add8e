/** What every monitor has: a name, a request, how often, and from where. */
import { Card, Grid, Select, Stack, TextInput } from '@mantine/core';
import { HTTP_METHODS, type HttpMethod } from '../../../../contracts/definition';
import { IntervalField } from '../../../shared/form/interval-field';
import { fieldAt, fieldWithin, problemAt } from '../../../shared/form/problems';
import { RegionsField } from '../../../shared/form/regions-field';
import type { MonitorDraft } from './monitor-draft';
import type { MonitorFieldsProps } from './monitor-fields';

export function MonitorBasics({ draft, onChange, problems }: MonitorFieldsProps) {
  const set = (patch: Partial<MonitorDraft>): void => onChange({ ...draft, ...patch });
  const setMethod = (method: HttpMethod): void => {
    const isBare = method === 'GET' || method === 'HEAD';
    set({ method, ...(isBare ? { body: { mode: 'none', text: '' } } : {}) });
  };
  return (
    <Card withBorder>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          {...fieldAt(problems, 'name')}
          data-autofocus
        />
        <Grid gap="sm">
          <Grid.Col span={{ base: 12, xs: 3 }}>
            <Select
              label="Method"
              data={[...HTTP_METHODS]}
              value={draft.method}
              onChange={(method) => method !== null && setMethod(method)}
              allowDeselect={false}
              {...fieldAt(problems, 'method')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 9 }}>
            <TextInput
              label="URL"
              required
              type="url"
              inputMode="url"
              value={draft.url}
              onChange={({ currentTarget }) => set({ url: currentTarget.value })}
              {...fieldAt(problems, 'url')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <IntervalField
              value={draft.interval}
              onChange={(interval) => set({ interval })}
              problem={problemAt(problems, 'interval')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <RegionsField
              value={draft.regions}
              onChange={(regions) => set({ regions })}
              problem={fieldWithin(problems, 'regions').error}
              placeholder="All regions"
            />
          </Grid.Col>
        </Grid>
      </Stack>
    </Card>
  );
}
