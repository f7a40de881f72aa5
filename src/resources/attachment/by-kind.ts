import type { PgColumn } from 'drizzle-orm/pg-core'
import { link } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import { file } from '../../kit/definition/file.ts'
import { type Resource, type ResourceExample, resource } from '../../kit/definition/resource.ts'
import type { Access } from '../../kit/request/caller.ts'
import { userBrief } from '../user/user.resource.ts'
import { applyAttachmentRules, findSlashError, rejectLargeFile } from './attachment-rules.ts'
import type { AttachmentView } from './attachment-views.ts'

/** The kind of object that attachments belong to. */
type Owner = {
  /** Display name: `Purchase order`. */
  name: string
  /** Model name for existing clients: `purchaseorder`. */
  model: string
  /** URL of its list. */
  path: string
  access: Access
  /** The column with the key of the object; its name is that of the field. */
  column: PgColumn
  /** The label of that field, if it differs from its name. */
  label?: string
  /** Folder of the files, below the media folder. */
  folder: string
}

/**
 * Defines the attachments of one kind of object: each is a file or a link, with a comment. Those of all kinds together are
 * `/api/attachment/`, with keys of their own.
 */
export function attachmentResource(table: AttachmentView, owner: Owner, example: ResourceExample): Resource {
  const ownerName = owner.name.toLowerCase()
  return resource({
    path: `${owner.path}attachment/`,
    name: `${owner.name} attachment`,
    description: `A file, or a link to an external page, that is attached to a ${ownerName}, with a comment.`,
    remarks: {
      create: 'Requires a file or a link. Send the file as multipart/form-data or as a data: URI; the caller becomes its `user`.',
      update: 'A new file replaces the previous one, which is deleted.',
      delete: 'Deletes its file. Deleting an object deletes its attachments and their files.',
    },
    example,
    model: `${owner.model}attachment`,
    table,
    access: owner.access,
    bulkDelete: true,
    fields: {
      pk: f.pk(table.pk),
      attachment: {
        ...file(table.attachment, {
          folder: owner.folder,
          name: table.filename,
          size: table.file_size,
          picture: table.is_image,
          prepare: rejectLargeFile,
          nullable: false,
          help: 'The file, of any kind.',
        }),
        search: true,
      },
      filename: {
        ...f.column(table.filename, {
          blank: false,
          search: true,
          check: findSlashError,
          help: 'The file name; by default the original one. A new name needs an extension, no quotes, none of # @ ! & ^ < > : ; | ? * % ~, and must be unique among the attachments of the object.',
        }),
        isKeptOnPut: true,
      },
      link: link(table.link, { search: true }),
      comment: f.column(table.comment, { search: true, help: 'A short comment; may be empty.' }),
      upload_date: f.readonly(table.upload_date, { order: true, help: 'The day on which it was added, in UTC.' }),
      user: f.ref(table.user, {
        model: 'user',
        apiUrl: '/api/user/',
        help: 'The account that added it; for a new one always the caller.',
      }),
      user_detail: f.nested(table.user, userBrief, { help: 'The account.' }),
      [owner.column.name]: f.ref(owner.column, {
        label: owner.label,
        required: true,
        filter: true,
        model: owner.model,
        apiUrl: owner.path,
        help: `The ${ownerName} that it is attached to.`,
      }),
    },
    rules(write) {
      // for a new one always the caller
      if (!write.before) write.values.user = undefined
      const { name: column } = owner.column
      return applyAttachmentRules(write, { table, column, object: write.after(column) })
    },
  })
}
