import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { staff } from '../../kit/request/caller.ts'
import { newsEntry as table } from './news-entry.table.ts'

export const news = resource({
  path: '/api/news/',
  name: 'News entry',
  description:
    'Something new that the feed of `NEWS_FEED_URL` told of; without that variable there is none. Texts hold no HTML. The newest 500 are kept, for a year.',
  remarks: { update: 'Only `read` is written: the rest is the feed’s.' },
  example: { pk: 1, replace: { read: true }, change: { read: true }, absent: true },
  model: 'newsfeedentry',
  table,
  access: staff,
  without: ['create'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    feed_id: f.readonly(table.feed_id, { help: 'What the feed knows it by.' }),
    title: f.readonly(table.title, { help: 'Its heading.' }),
    link: f.readonly(table.link, { help: 'Where it is told at length.' }),
    published: f.readonly(table.published, { order: true, help: 'When it was published.' }),
    author: f.readonly(table.author, { order: true, help: 'Who wrote it; empty where the feed does not say.' }),
    summary: f.readonly(table.summary, { help: 'Its beginning.' }),
    read: f.column(table.read, { filter: true, order: true, help: 'Whether somebody has read it.' }),
  },
  defaultOrder: ['-published'],
})
