/** Asks the person to confirm their identity before factors can be changed. */
import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, request } from '../../../shared/data/api';
import type { SignInFactors } from '../../../shared/data/api-types';
import { useRefresh } from '../../../shared/data/queries';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { getPasskey } from './browser-passkeys';
import { TOUCHED } from './paths';

type Way = 'password' | 'code' | 'recoveryCode';

const LABELS: Readonly<Record<Way, string>> = {
  password: 'Password',
  code: 'Code from your authenticator app',
  recoveryCode: 'Recovery code',
};

interface ProofFormProps {
  readonly factors: SignInFactors;
  /** True: a password is not enough. */
  readonly isFactorNeeded: boolean;
}

export function ProofForm({ factors, isFactorNeeded }: ProofFormProps) {
  const { codeApp, passkeys, hasPassword, recoveryCodesLeft } = factors;
  const hasFactor = codeApp !== null || passkeys.length > 0;
  const ways: readonly Way[] = [
    ...(codeApp === null ? [] : (['code'] as const)),
    ...(hasPassword && !isFactorNeeded ? (['password'] as const) : []),
    ...(hasFactor && recoveryCodesLeft > 0 ? (['recoveryCode'] as const) : []),
  ];
  const [chosen, setChosen] = useState<Way | null>(null);
  const [value, setValue] = useState('');
  const refresh = useRefresh();
  const { mutate, isPending, error } = useMutation<unknown, ApiProblem, object>({
    mutationFn: (body) => request('POST', '/v1/session/proof', { body, hasPassword: true }),
    onSuccess: async () => {
      setValue('');
      await refresh(TOUCHED);
    },
  });
  const usePasskey = useMutation<unknown, ApiProblem>({
    mutationFn: async () => mutate({ passkey: await getPasskey() }),
    onError: () => notify('The passkey was not used.'),
  });
  const way = chosen ?? ways[0];
  const others = ways.filter((one) => one !== way);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (way !== undefined) mutate({ [way]: value });
  };
  const field = {
    required: true,
    value,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setValue(currentTarget.value),
  };
  return (
    <form onSubmit={send}>
      <Heading mb="xs">Confirm that it is you</Heading>
      <Paper withBorder p="md">
        <Stack maw="var(--kw-form)">
          <Text size="sm" c="dimmed">
            Changes need a confirmation that is at most 15 minutes old.
          </Text>
          {way === undefined && passkeys.length === 0 && (
            <Text size="sm">Sign out, then sign in again with your identity provider.</Text>
          )}
          {way === 'password' && (
            <PasswordInput label={LABELS[way]} autoComplete="current-password" {...field} />
          )}
          {way !== undefined && way !== 'password' && (
            <TextInput
              label={LABELS[way]}
              autoComplete={way === 'code' ? 'one-time-code' : 'off'}
              inputMode={way === 'code' ? 'numeric' : 'text'}
              {...field}
            />
          )}
          {error !== null && <ProblemNote problem={error} />}
          <Group gap="xs">
            {way !== undefined && (
              <Button type="submit" loading={isPending}>
                Confirm
              </Button>
            )}
            {passkeys.length > 0 && (
              <Button variant="default" onClick={() => usePasskey.mutate()}>
                Use a passkey
              </Button>
            )}
            {others.map((other) => (
              <Button key={other} variant="subtle" onClick={() => setChosen(other)}>
                {`Use ${LABELS[other].toLowerCase()}`}
              </Button>
            ))}
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
