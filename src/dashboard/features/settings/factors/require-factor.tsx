/** The switch that requires a second factor of all members. Only for admins. */
import { Paper, Switch } from '@mantine/core';
import { useAct } from '../../../shared/actions/use-act';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { Heading } from '../../../shared/ui/heading';

const PATH = '/v1/account';

export function RequireFactor({ account }: { readonly account: AccountDetail }) {
  const { requireSecondFactor: isRequired } = account;
  const { act, isPending } = useAct([PATH, '/v1/session']);
  const isAdmin = useCan('admin');
  return (
    <section>
      <Heading mb="xs">Security</Heading>
      <Paper withBorder p="md">
        <Switch
          label="Require a second factor"
          description="Members without one must add an authenticator app or a passkey before they can do anything else."
          checked={isRequired}
          disabled={!isAdmin || isPending}
          onChange={({ currentTarget }) =>
            act(
              { method: 'PATCH', path: PATH, body: { requireSecondFactor: currentTarget.checked } },
              {
                done: isRequired ? 'A second factor is optional.' : 'A second factor is required.',
              },
            )
          }
        />
      </Paper>
    </section>
  );
}
