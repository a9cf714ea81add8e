/** The words of the status pages. */

export const TEXT = {
  about:
    'Pages for people outside: the names that you choose here with their state, 90 days and outages. Nothing else leaves, and nothing at all until a page is public.',
  add: 'Add status page',
  edit: 'Edit',
  noneTitle: 'No status pages yet',
  none: 'Tell customers how you are doing, without telling them what you run.',
  noneReadOnly: 'An editor of this account can add pages for people outside.',
  isPublic: 'Public',
  off: 'Off',
  saved: 'The status page is saved. Visitors see it within half a minute.',
  deleted: 'The status page is deleted.',
  title: 'Title',
  slug: 'Address',
  slugHint: 'What stands after /status/: lower-case letters, digits and hyphens.',
  description: 'Description',
  publicSwitch: 'Everybody may see this page',
  badgeSwitch: 'Offer badges for other sites',
  groups: 'What is shown',
  group: 'Group name',
  addGroup: 'Add group',
  removeGroup: 'Remove group',
  item: 'Monitor or scenario',
  itemName: 'Name on the page',
  addItem: 'Add item',
  removeItem: 'Remove item',
} as const;
