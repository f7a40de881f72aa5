import * as f from '../../kit/definition/field.ts'
import { picture } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { anyRole, readWriteAccess, signedIn } from '../../kit/request/caller.ts'
import { notesImage as table } from './notes-image.table.ts'

export const notesImage = resource({
  path: '/api/notes-image-upload/',
  name: 'Notes image',
  description: 'An image in notes, which include it by its URL in Markdown.',
  remarks: { create: 'The caller becomes its `user`.' },
  example: { pk: 1, create: { image: 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=' } },
  model: 'notesimage',
  table,
  access: readWriteAccess(signedIn, anyRole('change')),
  without: ['detail', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    image: {
      ...picture(table.image, 'notes'),
      help: 'The image: PNG, JPEG, GIF or WebP.',
    },
    user: {
      ...f.ref(table.user, { readonly: true, model: 'user', apiUrl: '/api/user/', help: 'The account that uploaded it.' }),
      options: { type: 'field' },
    },
    date: f.readonly(table.date, { order: true, help: 'When it was uploaded.' }),
    model_type: f.extended(
      f.column(table.model_type, {
        search: true,
        help: 'The kind of object whose notes show it, such as part; empty for any. It restricts nothing.',
      }),
    ),
    model_id: f.extended(f.column(table.model_id, { min: 1, help: 'The key of the object whose notes show it; empty for any.' })),
  },
  rules({ caller, hidden }) {
    hidden.user = caller.pk
  },
})
