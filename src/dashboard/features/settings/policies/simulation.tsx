/** Shows whom a policy would notify, and when, if something failed now. */
import { Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AlertSimulation } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { absolute, formatDuration } from '../../../shared/text/time';
import { Loading } from '../../../shared/ui/loading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { TEXT } from './strings';

export function Simulation({ policyId }: { readonly policyId: string }) {
  const { mutate, data, error } = useChange<AlertSimulation>([]);
  const [at] = useState(() => new Date().toISOString());
  useEffect(() => {
    const body = { at, kind: 'failure' };
    mutate({ method: 'POST', path: `/v1/alert-policies/${policyId}/simulate`, body });
  }, [mutate, policyId, at]);
  if (error !== null) return <ProblemNote problem={error} />;
  return data === undefined ? <Loading /> : <Notifications simulated={data} from={at} />;
}

interface NotificationsProps {
  readonly simulated: Pick<AlertSimulation, 'notifications'>;
  /** The simulated start of the failure. */
  readonly from: string;
}

export function Notifications({ simulated, from }: NotificationsProps) {
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
          <TableHead columns={['When', 'Step', 'Notified']} />
          <Table.Tbody>
            {simulated.notifications.map(({ at, step, kind, notify }) => (
              <Table.Tr key={`${at} ${step} ${kind}`}>
                <Table.Td title={absolute(at)}>{afterWords(from, at)}</Table.Td>
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

/** Formats how long after the failure something happens, like `at once` or `+1 min`. */
function afterWords(from: string, at: string): string {
  const seconds = Math.round((Date.parse(at) - Date.parse(from)) / 1_000);
  return seconds <= 0 ? 'at once' : `+${formatDuration(seconds)}`;
}

function contactWords({
  name,
  isWanted,
}: AlertSimulation['notifications'][number]['notify'][number]): string {
  return isWanted ? name : `${name} (takes no such alerts)`;
}
