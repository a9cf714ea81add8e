/** The words of the status pages. */
export const TEXT = {
  pages: 'Status pages',
  add: 'Add status page',
  edit: 'Edit',
  readOnly: 'Only editors can change status pages.',
  logo: 'Logo',
  theme: 'Theme',
  addWholeGroup: 'Add a whole group',
  preview: 'Preview',
} as const;
