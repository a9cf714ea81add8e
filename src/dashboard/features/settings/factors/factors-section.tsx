/** The factors of the signed-in person: authenticator app, recovery codes, passkeys and providers. */
import { Alert, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SignInFactors } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { CodeAppCard } from './code-app-card';
import { PasskeyList } from './passkey-list';
import { FACTORS } from './paths';
import { ProofForm } from './proof-form';
import { ProviderList } from './provider-list';

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
