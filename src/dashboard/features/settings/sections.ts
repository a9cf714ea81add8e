/** The sections of alerting and of the settings. The code of each is loaded when it is first shown. */

import {
  IconAdjustments,
  IconArrowsExchange,
  IconBell,
  IconBuilding,
  IconClock,
  IconGitBranch,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconListCheck,
  IconLock,
  IconShieldLock,
  IconStairsUp,
  IconUsers,
  IconVariable,
  IconWorld,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadWhenReached } from '../../shared/loading/load-when-reached';

export interface Section {
  /** The last part of the URL's path. */
  readonly name: string;
  readonly label: string;
  readonly Icon: ComponentType<{ size?: number }>;
  readonly isForAdmins: boolean;
  /** Only for admins of the account that operates the installation. */
  readonly isForOperators?: true;
  readonly Content: LazyExoticComponent<ComponentType>;
}

function content(load: () => Promise<ComponentType>): Section['Content'] {
  return lazy(loadWhenReached(async () => ({ default: await load() })));
}

export const ALERTING: readonly Section[] = [
  {
    name: 'channels',
    label: 'Alert channels',
    Icon: IconBell,
    isForAdmins: false,
    Content: content(async () => (await import('./channels/channels-section')).ChannelsSection),
  },
  {
    name: 'policies',
    label: 'Alert policies',
    Icon: IconStairsUp,
    isForAdmins: false,
    Content: content(async () => (await import('./policies/policies-section')).PoliciesSection),
  },
  {
    name: 'hours',
    label: 'Hours',
    Icon: IconClock,
    isForAdmins: false,
    Content: content(async () => (await import('./hours/hours-section')).HoursSection),
  },
];

export const SETTINGS: readonly Section[] = [
  {
    name: 'account',
    label: 'Account',
    Icon: IconBuilding,
    isForAdmins: false,
    Content: content(async () => (await import('./account/account-section')).AccountSection),
  },
  {
    name: 'profiles',
    label: 'Profiles',
    Icon: IconAdjustments,
    isForAdmins: false,
    Content: content(async () => (await import('./profiles/profiles-section')).ProfilesSection),
  },
  {
    name: 'secrets',
    label: 'Secrets',
    Icon: IconLock,
    isForAdmins: false,
    Content: content(async () => (await import('./secrets/secrets-section')).SecretsSection),
  },
  {
    name: 'environments',
    label: 'Environments',
    Icon: IconVariable,
    isForAdmins: false,
    Content: content(
      async () => (await import('./environments/environments-section')).EnvironmentsSection,
    ),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    Icon: IconKey,
    isForAdmins: true,
    Content: content(async () => (await import('./api-keys/api-keys-section')).ApiKeysSection),
  },
  {
    name: 'pipelines',
    label: 'Pipelines',
    Icon: IconGitBranch,
    isForAdmins: true,
    Content: content(async () => (await import('./pipelines/pipelines-section')).PipelinesSection),
  },
  {
    name: 'probe-keys',
    label: 'Probe keys',
    Icon: IconWorld,
    isForAdmins: true,
    isForOperators: true,
    Content: content(
      async () => (await import('./probe-keys/probe-keys-section')).ProbeKeysSection,
    ),
  },
  {
    name: 'members',
    label: 'Members',
    Icon: IconUsers,
    isForAdmins: false,
    Content: content(async () => (await import('./members/members-section')).MembersSection),
  },
  {
    name: 'password',
    label: 'Password and sessions',
    Icon: IconShieldLock,
    isForAdmins: false,
    Content: content(async () => (await import('./sessions/password-section')).PasswordSection),
  },
  {
    name: 'audit',
    label: 'Audit trail',
    Icon: IconHistory,
    isForAdmins: true,
    Content: content(async () => (await import('./audit/audit-section')).AuditSection),
  },
  {
    name: 'rollouts',
    label: 'Rollouts',
    Icon: IconListCheck,
    isForAdmins: false,
    Content: content(async () => (await import('./rollouts/rollouts-section')).RolloutsSection),
  },
  {
    name: 'transfer',
    label: 'Import and export',
    Icon: IconArrowsExchange,
    isForAdmins: false,
    Content: content(async () => (await import('./transfer/transfer-section')).TransferSection),
  },
  {
    name: 'about',
    label: 'About',
    Icon: IconInfoCircle,
    isForAdmins: false,
    Content: content(async () => (await import('./about/about-section')).AboutSection),
  },
];
