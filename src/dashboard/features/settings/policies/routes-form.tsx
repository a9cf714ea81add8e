/** Edits all routes of the account and their order, and saves them together. */
import { Group, Paper, Select, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { ROUTED_TYPES } from '../../../../contracts/escalation';
import { usePolicies } from '../../../shared/alerts/use-policies';
import type { AlertRoutes } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { AddRow } from '../../../shared/form/rows/add-row';
import { RemoveButton } from '../../../shared/form/rows/remove-button';
import { moveRow } from '../../../shared/form/rows/rows';
import { DragArea, SortableList, SortableRow } from '../../../shared/form/rows/sortable-rows';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { buildRoutesBody, createRows, newRoute, type RouteRow } from './route-draft';
import { TEXT, TYPE_WORDS } from './strings';

interface RoutesFormProps {
  readonly routes: AlertRoutes;
  readonly onClose: () => void;
}

export function RoutesForm({ routes, onClose }: RoutesFormProps) {
  const [rows, setRows] = useState(() => createRows(routes));
  const policies = usePolicies();
  const { mutate, isPending, error } = useChange<AlertRoutes>(['/v1/alert-routes']);
  const save = (): void => {
    const onSuccess = (): void => {
      notify('Routes saved. Escalations under way keep the policy they began with.');
      onClose();
    };
    const { version: ifVersion } = routes;
    const body = buildRoutesBody(rows);
    mutate({ method: 'PUT', path: '/v1/alert-routes', body, ifVersion }, { onSuccess });
  };
  return (
    <FormDialog
      title={TEXT.routesEdit}
      isUnchecked
      draft={rows}
      problem={error}
      isPending={isPending}
      isDisabled={rows.length === 0 && routes.routes.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {TEXT.routesAbout}
      </Text>
      <Stack gap="md" data-rows>
        <RouteRows
          rows={rows}
          onChange={setRows}
          fault={(index, field) => faultAt(error, `routes[${index}]${field}`)}
        />
        <AddRow
          rows={rows}
          newRow={() => newRoute(policies.length === 1 ? policies[0]?.value : undefined)}
          onChange={setRows}
        >
          Add route
        </AddRow>
      </Stack>
    </FormDialog>
  );
}

interface RouteRowsProps {
  readonly rows: readonly RouteRow[];
  readonly onChange: (rows: readonly RouteRow[]) => void;
  readonly fault: (index: number, field: string) => string | null;
}

/** The routes in their order. Users reorder them by dragging or with arrow buttons. */
function RouteRows({ rows, onChange, fault }: RouteRowsProps) {
  const findIndex = (id: string): number => rows.findIndex(({ rowId }) => rowId === id);
  const step = (from: number, to: number): (() => void) | null =>
    to < 0 || to >= rows.length ? null : () => onChange(moveRow(rows, from, to));
  return (
    <DragArea
      readName={(id) => `Route ${findIndex(id) + 1}`}
      describePosition={(id) => `position ${findIndex(id) + 1} of ${rows.length}`}
      onPick={() => undefined}
      onDrop={(id, onto) => onChange(moveRow(rows, findIndex(id), findIndex(onto)))}
    >
      <SortableList ids={rows.map(({ rowId }) => rowId)}>
        {rows.map((row, index) => (
          <SortableRow
            key={row.rowId}
            id={row.rowId}
            name={`route ${index + 1}`}
            steps={{ up: step(index, index - 1), down: step(index, index + 1) }}
            isTarget
          >
            <RouteFields
              row={row}
              number={index + 1}
              onChange={(next) => onChange(rows.map((other) => (other === row ? next : other)))}
              onRemove={() => onChange(rows.filter((other) => other !== row))}
              fault={(field) => fault(index, field)}
            />
          </SortableRow>
        ))}
      </SortableList>
    </DragArea>
  );
}

interface RouteFieldsProps {
  readonly row: RouteRow;
  readonly number: number;
  readonly onChange: (row: RouteRow) => void;
  readonly onRemove: () => void;
  /** Returns the error of a field like `.policy`. Pass '' for the error of the whole route. */
  readonly fault: (field: string) => string | null;
}

/** Edits one route: the checks that it matches, and the policy for these checks. */
function RouteFields({ row, number, onChange, onRemove, fault }: RouteFieldsProps) {
  const policies = usePolicies();
  const set = (patch: Partial<RouteRow>): void => onChange({ ...row, ...patch });
  const { policy } = row;
  const isKnown = policy === null || policies.some(({ value }) => value === policy);
  const options = isKnown ? policies : [...policies, { value: policy, label: policy }];
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Route ${number}`} data-row-id={row.rowId}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <Select
            label="Checks"
            placeholder={TEXT.anyOf}
            data={ROUTED_TYPES.map((value) => ({ value, label: TYPE_WORDS[value] }))}
            value={row.type}
            onChange={(type) => set({ type })}
            clearable
            flex={1}
          />
          <RemoveButton row={`route ${number}`} onRemove={onRemove} />
        </Group>
        <TagsInput
          label="Tags"
          description="Matches any"
          placeholder={row.tags.length === 0 ? TEXT.anyOf : ''}
          value={[...row.tags]}
          onChange={(tags) => set({ tags })}
          error={fault('.match.tags')}
          acceptValueOnBlur
        />
        <TagsInput
          label="Groups"
          description="Includes subgroups"
          placeholder={row.groups.length === 0 ? TEXT.anyOf : ''}
          value={[...row.groups]}
          onChange={(groups) => set({ groups })}
          error={fault('.match.groups')}
          acceptValueOnBlur
        />
        <Select
          label="Policy"
          placeholder={TEXT.ownChannels}
          data={[...options]}
          value={policy}
          onChange={(chosen) => set({ policy: chosen })}
          error={fault('.policy')}
          clearable
          allowDeselect={false}
        />
        {fault('') !== null && fault('.policy') === null && (
          <Text size="xs" c="var(--mantine-color-error)">
            {fault('')}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
