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
  posts: 'Posts',
  subscribers: 'Subscribers',
  addSubscriber: 'Add subscriber',
  addPost: 'Write a post',
  publish: 'Publish',
  published: 'Published. Visitors see it within 40 seconds.',
  readOnlyPosts: 'Only editors can write posts.',
} as const;
