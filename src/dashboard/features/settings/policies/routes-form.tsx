/** Edits all routes of the account and their order, and saves them together. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePolicies } from '../../../shared/alerts/use-policies';
import type { AlertRoutes } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { AddRow } from '../../../shared/form/add-row';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { buildRoutesBody, createRows, newRoute } from './route-draft';
import { RouteRows } from './route-rows';
import { TEXT } from './strings';

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
