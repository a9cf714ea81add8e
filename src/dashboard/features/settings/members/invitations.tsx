/** Invitations that have not been accepted yet. */
import { Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Invitation, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { ROLE_WORDS, TEXT } from './strings';

/** One page is enough: an account has at most as many open invitations as its plan allows members. */
const LIST = '/v1/invitations?limit=500';

export function Invitations() {
  const { data, error } = useRead<Page<Invitation>>(LIST);
  return (
    <section>
      <Heading mt="xl" mb="xs">
        Open invitations
      </Heading>
      <Unread of={{ data, error }} shape={null} />
      {data?.data.length === 0 && <Text c="dimmed">No open invitations.</Text>}
      {data !== undefined && data.data.length > 0 && (
        <CardList label="Open invitations">
          {data.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </CardList>
      )}
    </section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { id, email, role, createdAt, expiresAt } = invitation;
  return (
    <CardItem
      name={email}
      about={
        <>
          Invited <RelativeTime at={createdAt} />, expires <RelativeTime at={expiresAt} />
        </>
      }
      aside={<Text size="sm">{ROLE_WORDS[role]}</Text>}
      actions={
        <DeleteButton
          path={`/v1/invitations/${id}`}
          touches={['/v1/invitations', '/v1/account']}
          word={TEXT.withdraw}
          label={`${TEXT.withdraw} the invitation of ${email}`}
          question={{
            title: `Revoke the invitation of ${email}?`,
            text: `The link that was sent to ${email} stops working. You can invite this person again.`,
          }}
          done="Invitation revoked."
        />
      }
    />
  );
}
