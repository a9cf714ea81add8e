/** Changes the password of the signed-in user. Keeps neither the old nor the new password. */
import { Button, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, request } from '../../../shared/data/api';
import { useSession } from '../../../shared/data/session';
import { faultAt } from '../../../shared/text/faults';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { SessionList } from './session-list';

const EMPTY = { currentPassword: '', newPassword: '', repeated: '' };
const LENGTH_MIN = 12;

export function PasswordSection() {
  const { user } = useSession();
  const [given, setGiven] = useState(EMPTY);
  const { mutate, isPending, error } = useMutation<unknown, ApiProblem, typeof EMPTY>({
    mutationFn: ({ currentPassword, newPassword }) =>
      request('POST', '/v1/password', {
        body: { currentPassword, newPassword },
        hasPassword: true,
      }),
    onSuccess: () => {
      setGiven(EMPTY);
      notify('Password changed. Your other sessions have ended.');
    },
  });
  if (user === null) return <Text>Sign in to see this.</Text>;
  const isRepeated = given.newPassword === given.repeated;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isRepeated) mutate(given);
  };
  const fieldOf = (name: keyof typeof EMPTY) => ({
    required: true,
    value: given[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [name]: currentTarget.value }),
    visibilityToggleButtonProps: { 'aria-label': 'Show passwords' },
  });
  return (
    <Stack gap="xl">
      <form onSubmit={save}>
        <Heading mb="xs">Password</Heading>
        <Paper withBorder p="md">
          <Stack maw="var(--kw-form)">
            <input
              type="hidden"
              name="username"
              autoComplete="username"
              value={user.email}
              readOnly
            />
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              {...fieldOf('currentPassword')}
              error={faultAt(error, 'currentPassword')}
            />
            <PasswordInput
              label="New password"
              description={`At least ${LENGTH_MIN} characters.`}
              autoComplete="new-password"
              minLength={LENGTH_MIN}
              {...fieldOf('newPassword')}
              error={faultAt(error, 'newPassword')}
            />
            <PasswordInput
              label="New password again"
              autoComplete="new-password"
              {...fieldOf('repeated')}
              error={given.repeated !== '' && !isRepeated ? 'Passwords do not match' : null}
            />
            {error !== null && <ProblemNote problem={error} />}
            <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
              Change password
            </Button>
          </Stack>
        </Paper>
      </form>
      <SessionList />
    </Stack>
  );
}
