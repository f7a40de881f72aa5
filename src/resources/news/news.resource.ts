import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { staff } from '../../kit/request/caller.ts'
import { newsEntry as table } from './news-entry.table.ts'

export const news = resource({
  path: '/api/news/',
  name: 'News entry',
  description:
    'An entry of the feed at `NEWS_FEED_URL`; without that variable there are none. Texts contain no HTML. The newest 500 are stored, for a year.',
  remarks: { update: 'Only `read` can be changed: the other fields come from the feed.' },
  example: { pk: 1, replace: { read: true }, change: { read: true }, hasNoObject: true },
  model: 'newsfeedentry',
  table,
  access: staff,
  without: ['create'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    feed_id: f.readonly(table.feed_id, { api530: { metadata: { label: 'Id' } }, help: 'The id of the entry in the feed.' }),
    title: f.readonly(table.title, { help: 'The title.' }),
    link: f.readonly(table.link, { api530: { metadata: { type: 'url' } }, help: 'The URL of the article.' }),
    published: f.readonly(table.published, {
      order: true,
      api530: { metadata: { max_length: 250 } },
      help: 'When it was published.',
    }),
    author: f.readonly(table.author, { order: true, help: 'The author; empty if unknown.' }),
    summary: f.readonly(table.summary, { help: 'The beginning of the text.' }),
    read: f.column(table.read, {
      filter: true,
      order: true,
      api530: { metadata: { required: true } },
      help: 'Whether someone has read it.',
    }),
  },
  defaultOrder: ['-published'],
})
