/** The factors of the signed-in person: authenticator app, recovery codes, passkeys and providers. */
import {
  Alert,
  Button,
  Code,
  Group,
  Paper,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import { type ApiProblem, request } from '../../../shared/data/api';
import type { SignInFactors, SignInOptions } from '../../../shared/data/api-types';
import { useRead, useRefresh } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { getPasskey } from './browser-passkeys';
import { CodeAppCard, type FactorCardProps } from './code-app-card';
import { PasskeyList } from './passkey-list';
import { FACTORS, TOUCHED } from './paths';

export function FactorsSection() {
  const { data: factors, error } = useRead<SignInFactors>(FACTORS);
  const { needsSecondFactor } = useSession();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (factors === undefined)
    return <Unread of={{ data: factors, error }} shape={<PageLoading isBelowHead />} />;
  const isProved = factors.provedUntil !== null && Date.parse(factors.provedUntil) > Date.now();
  const hasFactor = factors.codeApp !== null || factors.passkeys.length > 0;
  const isAsked = needsSecondFactor && hasFactor;
  const shared = { factors, isProved: isProved && !isAsked, onCodes: setCodes };
  return (
    <Stack gap="xl">
      {needsSecondFactor && (
        <Alert title="Your account requires a second factor">
          {hasFactor
            ? 'Confirm your second factor to continue.'
            : 'Add an authenticator app or a passkey to continue.'}
        </Alert>
      )}
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {(!isProved || isAsked) && <ProofForm factors={factors} isFactorNeeded={isAsked} />}
      <CodeAppCard {...shared} />
      <PasskeyList {...shared} />
      <ProviderList {...shared} />
    </Stack>
  );
}

/** Each code works once, and is shown once. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <ShownOnce
      title="Recovery codes"
      about="Keep these codes in a safe place. Each lets you in once if you lose your second factor. You won’t be able to see them again."
      onDone={onDone}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" p={0} m={0}>
        {codes.map((code) => (
          <Text key={code} component="li" style={{ listStyle: 'none' }}>
            <Code>{code}</Code>
          </Text>
        ))}
      </SimpleGrid>
      <Group>
        <CopyTextButton text={codes.join('\n')} label="Copy recovery codes" />
      </Group>
    </ShownOnce>
  );
}

const PATH = '/v1/session/identities';

/** Lists the identity providers. Renders nothing if the installation has none. */
function ProviderList({ factors: { identities }, isProved }: FactorCardProps) {
  const { data: options } = useRead<SignInOptions>('/v1/sign-in/options');
  const { act, isPending } = useAct<{ url: string }>([]);
  const connected = new Set(identities.map(({ provider }) => provider));
  const others = options?.providers.filter(({ id }) => !connected.has(id)) ?? [];
  if (identities.length + others.length === 0) return null;
  const connect = (provider: string): void =>
    act(
      { method: 'POST', path: PATH, body: { provider } },
      { onDone: ({ url }) => window.location.assign(url) },
    );
  return (
    <section aria-labelledby="providers">
      <Heading id="providers" mb="sm">
        Identity providers
      </Heading>
      {identities.length > 0 && (
        <CardList label="Identity providers">
          {identities.map((identity) => (
            <IdentityCard key={identity.name} identity={identity} isProved={isProved} />
          ))}
        </CardList>
      )}
      {isProved && (
        <Group gap="xs" mt="sm">
          {others.map(({ id, name }) => (
            <Button key={id} variant="default" loading={isPending} onClick={() => connect(id)}>
              {`Connect ${name}`}
            </Button>
          ))}
        </Group>
      )}
    </section>
  );
}

interface IdentityCardProps {
  readonly identity: FactorCardProps['factors']['identities'][number];
  readonly isProved: boolean;
}

function IdentityCard({ identity, isProved }: IdentityCardProps) {
  const { provider, name, createdAt, lastUsedAt } = identity;
  return (
    <CardItem
      name={name}
      about={
        <>
          Connected <RelativeTime at={createdAt} />, last used <RelativeTime at={lastUsedAt} />
        </>
      }
      actions={
        isProved &&
        provider !== null && (
          <DeleteButton
            path={`${PATH}/${provider}`}
            touches={TOUCHED}
            word="Disconnect"
            label={`Disconnect ${name}`}
            question={{
              title: `Disconnect ${name}?`,
              text: 'You can no longer sign in with it.',
            }}
            done="Provider disconnected."
          />
        )
      }
    />
  );
}

type Way = 'password' | 'code' | 'recoveryCode';

const LABELS: Readonly<Record<Way, string>> = {
  password: 'Password',
  code: 'Code from your authenticator app',
  recoveryCode: 'Recovery code',
};

interface ProofFormProps {
  readonly factors: SignInFactors;
  /** True means that a password is not enough to confirm the identity. */
  readonly isFactorNeeded: boolean;
}

/** Asks the person to confirm their identity before factors can be changed. */
function ProofForm({ factors, isFactorNeeded }: ProofFormProps) {
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
