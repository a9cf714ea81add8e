/** The members of the account. Admins can invite members, change their roles, and remove them. */
import { Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { MailBanner } from '../../../shared/alerts/mail-banner';
import type { Invitation, Member, NewInvitation, Page } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { FormDialog } from '../../../shared/form/form-dialog';
import { Unread } from '../../../shared/loading/unread';
import { faultAt } from '../../../shared/text/faults';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { ObjectSection } from '../object-section';
import { MemberRow } from './member-row';
import { RoleSelect } from './role-select';
import { ROLE_HINTS, ROLE_WORDS, TEXT } from './strings';

export function MembersSection() {
  const isAdmin = useCan('admin');
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <MailBanner />
      {link !== null && (
        <ShownOnce
          title="Share this link"
          about="Email is not set up, so no message was sent. The link works once, for seven days. You won’t be able to see it again."
          onDone={() => setLink(null)}
        >
          <CopyField label="Invitation link" value={link} />
        </ShownOnce>
      )}
      <ObjectSection<Member>
        path="/v1/members"
        text={TEXT}
        mayAdd="admin"
        icon={<IconUserPlus size={16} aria-hidden />}
        label="Members"
        card={(member, _edit, members) => (
          <MemberRow key={member.id} member={member} isOnlyOwner={isOnlyOwner(member, members)} />
        )}
        form={(_member, close) => (
          <InviteForm
            onClose={(invitation) => {
              close();
              if (invitation?.mailed) notify(`Invitation sent to ${invitation.email}.`);
              if (invitation !== null) setLink(invitation.acceptUrl);
            }}
          />
        )}
      />
      {isAdmin && <Invitations />}
    </>
  );
}

/** True if the member is the only owner. The service refuses to remove or demote this member. */
function isOnlyOwner({ role }: Member, members: readonly Member[]): boolean {
  return role === 'owner' && members.filter((one) => one.role === 'owner').length === 1;
}

interface InviteFormProps {
  /** Called with the invitation; null when the form was cancelled. */
  readonly onClose: (invitation: NewInvitation | null) => void;
}

/** Invites a person by email address and role. */
function InviteForm({ onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('editor');
  const { mutate, isPending, error } = useChange<NewInvitation>(['/v1/invitations', '/v1/account']);
  const save = (): void => {
    mutate(
      { method: 'POST', path: '/v1/invitations', body: { email, role } },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action="Invite"
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextInput
        type="email"
        label="Email address"
        required
        data-autofocus
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        error={faultAt(error, 'email')}
        autoComplete="off"
      />
      <RoleSelect
        label={TEXT.role}
        isLabelShown
        value={role}
        onChange={setRole}
        fault={faultAt(error, 'role')}
      />
      <Text size="sm" c="dimmed">
        {ROLE_HINTS[role]}
      </Text>
    </FormDialog>
  );
}

/** The path of the invitations. One page is enough, because the plan limits the number of open invitations. */
const LIST = '/v1/invitations?limit=500';

/** Lists invitations that have not been accepted yet. */
function Invitations() {
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
