/** Who belongs to the account; admins invite, change roles and remove. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { withQuery } from '../../../shared/api';
import type { Member, NewInvitation, Page } from '../../../shared/api-types';
import { CopyField } from '../../../shared/copy-field';
import { Loading } from '../../../shared/loading';
import { tell } from '../../../shared/notify';
import { Pager } from '../../../shared/pager';
import { ProblemNote } from '../../../shared/problem-note';
import { useRead } from '../../../shared/queries';
import { useSearchState } from '../../../shared/search';
import { useCan } from '../../../shared/session';
import { ShownOnce } from '../shown-once';
import { Invitations } from './invitations';
import { InviteForm } from './invite-form';
import { MemberRow } from './member-row';
import { TEXT } from './strings';

const PAGE_SIZE = 100;

export function MembersSection() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<Member>>(
    withQuery('/v1/members', { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const isAdmin = useCan('admin');
  const [isInviting, setIsInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const close = (invitation: NewInvitation | null): void => {
    setIsInviting(false);
    if (invitation === null) return;
    if (invitation.mailed) tell(`The invitation was mailed to ${invitation.email}.`);
    setLink(invitation.acceptUrl);
  };
  return (
    <>
      {link !== null && (
        <ShownOnce title={TEXT.linkTitle} about={TEXT.linkAbout} onDone={() => setLink(null)}>
          <CopyField label={TEXT.link} value={link} />
        </ShownOnce>
      )}
      <Group justify="space-between" mb="md" align="flex-start">
        <Text c="dimmed" maw={560}>
          {TEXT.about}
        </Text>
        {isAdmin && (
          <Button
            onClick={() => setIsInviting(true)}
            leftSection={<IconUserPlus size={16} aria-hidden />}
          >
            {TEXT.invite}
          </Button>
        )}
      </Group>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      <section>
        <Title order={2} size="h4" mb="xs">
          {TEXT.members}
        </Title>
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {data?.data.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </Stack>
        <Pager nextCursor={data?.nextCursor ?? null} />
      </section>
      {isAdmin && <Invitations />}
      {isInviting && <InviteForm onClose={close} />}
    </>
  );
}
