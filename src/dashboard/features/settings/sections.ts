/** The sections of the settings. Their contents are loaded when they are first shown. */
import {
  IconArrowsExchange,
  IconBell,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconLock,
  IconPassword,
  IconStairsUp,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

interface Section {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly Icon: ComponentType<{ size?: number }>;
  readonly isForAdmins: boolean;
  /** And of those only for the ones of the account that runs the installation. */
  readonly isForOperators?: true;
  readonly Content: LazyExoticComponent<ComponentType>;
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'channels',
    label: 'Alert channels',
    Icon: IconBell,
    isForAdmins: false,
    Content: lazy(async () => {
      const { ChannelsSection } = await import('./channels/channels-section');
      return { default: ChannelsSection };
    }),
  },
  {
    name: 'policies',
    label: 'Alert policies',
    Icon: IconStairsUp,
    isForAdmins: false,
    Content: lazy(async () => {
      const { PoliciesSection } = await import('./policies/policies-section');
      return { default: PoliciesSection };
    }),
  },
  {
    name: 'secrets',
    label: 'Secrets',
    Icon: IconLock,
    isForAdmins: false,
    Content: lazy(async () => {
      const { SecretsSection } = await import('./secrets/secrets-section');
      return { default: SecretsSection };
    }),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    Icon: IconKey,
    isForAdmins: true,
    Content: lazy(async () => {
      const { ApiKeysSection } = await import('./api-keys/api-keys-section');
      return { default: ApiKeysSection };
    }),
  },
  {
    name: 'probe-keys',
    label: 'Probe keys',
    Icon: IconWorld,
    isForAdmins: true,
    isForOperators: true,
    Content: lazy(async () => {
      const { ProbeKeysSection } = await import('./probe-keys/probe-keys-section');
      return { default: ProbeKeysSection };
    }),
  },
  {
    name: 'members',
    label: 'Members',
    Icon: IconUsers,
    isForAdmins: false,
    Content: lazy(async () => {
      const { MembersSection } = await import('./members/members-section');
      return { default: MembersSection };
    }),
  },
  {
    name: 'password',
    label: 'Password and sessions',
    Icon: IconPassword,
    isForAdmins: false,
    Content: lazy(async () => {
      const { PasswordSection } = await import('./password-section');
      return { default: PasswordSection };
    }),
  },
  {
    name: 'audit',
    label: 'Audit trail',
    Icon: IconHistory,
    isForAdmins: true,
    Content: lazy(async () => {
      const { AuditSection } = await import('./audit/audit-section');
      return { default: AuditSection };
    }),
  },
  {
    name: 'transfer',
    label: 'Import and export',
    Icon: IconArrowsExchange,
    isForAdmins: false,
    Content: lazy(async () => {
      const { TransferSection } = await import('./transfer/transfer-section');
      return { default: TransferSection };
    }),
  },
  {
    name: 'about',
    label: 'About',
    Icon: IconInfoCircle,
    isForAdmins: false,
    Content: lazy(async () => {
      const { AboutSection } = await import('./about/about-section');
      return { default: AboutSection };
    }),
  },
];
