/** The identity providers that the signed-in person is connected with, and those to connect. */
import { Button, Group } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { SignInOptions } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import type { FactorCardProps } from './code-app-card';
import { TOUCHED } from './paths';

const PATH = '/v1/session/identities';

/** Renders nothing if the installation has no providers. */
export function ProviderList({ factors: { identities }, isProved }: FactorCardProps) {
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
