/** Shows whom a policy would notify, and when, if something failed now. */
import { Table, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { AlertSimulation } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { absolute } from '../../../shared/text/time';
import { Loading } from '../../../shared/ui/loading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { TEXT } from './strings';

export function Simulation({ policyId }: { readonly policyId: string }) {
  const { mutate, data, error } = useChange<AlertSimulation>([]);
  useEffect(() => {
    const body = { at: new Date().toISOString(), kind: 'failure' };
    mutate({ method: 'POST', path: `/v1/alert-policies/${policyId}/simulate`, body });
  }, [mutate, policyId]);
  if (error !== null) return <ProblemNote problem={error} />;
  return data === undefined ? <Loading /> : <Notifications simulated={data} />;
}

export function Notifications({
  simulated,
}: {
  readonly simulated: Pick<AlertSimulation, 'notifications'>;
}) {
  if (simulated.notifications.length === 0)
    return (
      <Text size="sm" mt="xs">
        Nobody would be notified.
      </Text>
    );
  return (
    <>
      <Text size="sm" c="dimmed" my="xs">
        Who would be notified when, if it failed now and nobody responded:
      </Text>
      <ScrollBox label={TEXT.simulate} minWidth={420}>
        <Table fz="sm" verticalSpacing={4}>
          <TableHead columns={['Time', 'Step', 'Notified']} />
          <Table.Tbody>
            {simulated.notifications.map(({ at, step, kind, notify }) => (
              <Table.Tr key={`${at} ${step} ${kind}`}>
                <Table.Td>{absolute(at)}</Table.Td>
                <Table.Td>
                  {step}
                  {kind === 'reminder' ? ', again' : ''}
                </Table.Td>
                <Table.Td>{notify.map(contactWords).join(', ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </>
  );
}

function contactWords({
  name,
  isWanted,
}: AlertSimulation['notifications'][number]['notify'][number]): string {
  return isWanted ? name : `${name} (takes no such alerts)`;
}
