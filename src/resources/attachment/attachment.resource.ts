import { getTableName } from 'drizzle-orm'
import { Type } from 'typebox'
import { link } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import { file } from '../../kit/definition/file.ts'
import { type Condition, readKey } from '../../kit/definition/filter.ts'
import * as input from '../../kit/definition/input.ts'
import { buildThumbnailUrlSql } from '../../kit/definition/media.ts'
import { type Row, resource, type Write } from '../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tagsOnRequest } from '../../kit/definition/tags.ts'
import { type Caller, requireAccess, roles } from '../../kit/request/caller.ts'
import { unknownReference } from '../../kit/request/errors.ts'
import { invalidQuery } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import { userBrief } from '../user/user.resource.ts'
import { attachment as table } from './attachment.table.ts'
import { ATTACHMENT_MODELS, ATTACHMENT_OWNERS, type AttachmentOwner, findAttachmentOwner } from './attachment-models.ts'
import { applyAttachmentRules, findSlashError, rejectLargeFile } from './attachment-rules.ts'

/** The roles with permissions on any kind of object that has attachments; `checkObject` then requires the permission for the object itself. */
const access = roles('part', 'stock', 'purchase_order', 'sales_order', 'return_order', 'transfer_order', 'build')

const MODEL_CHOICES = ATTACHMENT_OWNERS.map((owner) => ({
  value: ATTACHMENT_MODELS[owner].model,
  label: ATTACHMENT_MODELS[owner].label,
}))

const objectKey = `coalesce(${ATTACHMENT_OWNERS.map((owner) => `{${owner}}`).join(', ')})`

export const attachment = resource({
  path: '/api/attachment/',
  name: 'Attachment',
  description: 'A file, or a link to an external page, that is attached to an object, with a comment.',
  remarks: {
    create:
      'Requires a file or a link. Send the file as multipart/form-data or as a data: URI; the caller becomes its `upload_user`. Requires the permission in the role of the object.',
    update: 'A new file replaces the previous one, which is deleted. Requires the permission in the role of the object.',
    delete: 'Deletes its file. Deleting an object deletes its attachments and their files.',
  },
  example: {
    pk: 1,
    create: { model_type: 'part', model_id: 25, link: 'https://cells.example/aa.pdf', comment: 'Data sheet' },
    change: { comment: 'Data sheet, second edition', tags: ['data sheet'] },
    deletable: 2,
  },
  model: 'attachment',
  table,
  access,
  bulkDelete: true,
  rows: buildVisibleCondition,
  fields: {
    pk: f.pk(table.pk),
    attachment: {
      ...file(table.attachment, {
        folder: 'attachments',
        name: table.filename,
        size: table.file_size,
        picture: table.is_image,
        prepare: rejectLargeFile,
        help: 'The file, of any kind.',
      }),
      search: true,
    },
    thumbnail: f.computed(
      Type.Union([Type.String(), Type.Null()]),
      `case when {is_image} then {@site}::text || ${buildThumbnailUrlSql('{attachment}')} end`,
      {
        api530: { metadata: { type: 'image upload', max_length: 100 } },
        help: 'The URL of a smaller version of a picture; null for other files.',
      },
    ),
    filename: {
      ...f.column(table.filename, {
        search: true,
        check: findSlashError,
        help: 'The file name; by default the original one. A new name needs an extension, no quotes, none of # @ ! & ^ < > : ; | ? * % ~, and must be unique among the attachments of the object.',
      }),
      isKeptOnPut: true,
      api530: { value: { schema: input.orNull(Type.String()), sql: `nullif({filename}, '')` } },
    },
    link: link(table.link, { search: true }),
    comment: f.column(table.comment, { search: true, help: 'A short comment; may be empty.' }),
    is_image: f.readonly(table.is_image, { filter: true, help: 'Whether the file is a picture.' }),
    upload_date: f.readonly(table.upload_date, { order: true, help: 'The day on which it was added, in UTC.' }),
    upload_user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      api530: { metadata: { type: 'field', label: 'User' } },
      help: 'The account that added it.',
    }),
    user_detail: f.nested(table.user, userBrief, { help: 'The account.' }),
    file_size: {
      ...f.readonly(table.file_size, {
        order: true,
        help: 'The size of the file in bytes; 0 without a file. Files of an earlier version of Stockroom, and imported ones, have 0 until a background task has read their size.',
      }),
      schema: Type.Integer(),
      sql: 'coalesce({file_size}, 0)',
    },
    model_type: f.column(table.model_type, {
      required: true,
      choices: () => MODEL_CHOICES,
      order: true,
      api530: { metadata: { max_length: 100 } },
      label: 'Model Type',
      help: 'The kind of the object that it is attached to.',
    }),
    model_id: {
      api530: { metadata: { label: 'Model id' } },
      label: 'Model ID',
      help: 'The key of the object that it is attached to.',
      schema: Type.Integer(),
      options: { type: 'integer' },
      sql: objectKey,
      input: input.integer({ required: true, min: 0 }),
      order: [objectKey],
    },
    tags: tagsOnRequest(table.tags),
  },
  filters: {
    model_type: {
      kind: 'custom',
      names: {
        model_type: 'Attachments of this kind of object, such as `part`.',
        model_id: 'Attachments of the object with this key, of the given kind or of any.',
      },
      read: readObjectFilter,
    },
    is_link: { kind: 'boolean', sql: `{link} <> ''`, help: 'Whether it is a link, or has one.' },
    is_file: { kind: 'boolean', sql: `{attachment} <> ''`, help: 'Whether it has a file.' },
    has_thumbnail: { kind: 'boolean', sql: '{is_image}', help: 'Whether its file is a picture, which has a smaller version.' },
    ...tagFilters,
  },
  search: [tagSearch],
  rules: checkObject,
  beforeDelete({ caller, row }) {
    requireAccess(ATTACHMENT_MODELS[getOwner(row)].access, caller, 'delete')
  },
})

/** The attachments of those kinds of objects that the caller can view. */
function buildVisibleCondition(caller: Caller | undefined): Condition | undefined {
  const visible = ATTACHMENT_OWNERS.map((owner) => ATTACHMENT_MODELS[owner]).filter(({ access }) => access(caller, 'view'))
  if (visible.length === ATTACHMENT_OWNERS.length) return undefined
  return {
    sql: visible.length ? `{model_type} in (${visible.map(({ model }) => `'${model}'`).join(', ')})` : 'false',
    values: [],
  }
}

/** Reads the filters by the kind and by the key of the object. */
function readObjectFilter({ model_type, model_id }: Readonly<Record<string, string>>): Condition | undefined {
  const owner = model_type ? findAttachmentOwner(model_type) : undefined
  if (model_type && !owner) throw invalidQuery({ model_type: [queryErrors.unavailable_choice] })
  const pk = model_id ? readKey(model_id) : null
  if (pk === undefined) throw invalidQuery({ model_id: [queryErrors.filter_number_expected] })
  if (pk === null) return owner && { sql: '{model_type} = {@value}', values: [ATTACHMENT_MODELS[owner].model] }
  const owners = owner ? [owner] : ATTACHMENT_OWNERS
  return { sql: `(${owners.map((name) => `{${name}} = {@value}::integer`).join(' or ')})`, values: [pk] }
}

/** The column that refers to the object of a stored attachment. */
function getOwner(row: Row): AttachmentOwner {
  const owner = findAttachmentOwner(row.model_type)
  if (!owner) throw new Error(`no attachments of ${row.model_type}`)
  return owner
}

/** Finds the object, requires the permission for it, and checks the file. */
async function checkObject(write: Write): Promise<void> {
  const { tx, before, caller, values, hidden, after, errors } = write
  const former = before && getOwner(before)
  if (former) requireAccess(ATTACHMENT_MODELS[former].access, caller, 'change')
  const owner = findAttachmentOwner(after('model_type')) as AttachmentOwner
  const object = values.model_id ?? (former && before?.[former])
  if (owner !== former || object !== before?.[former]) {
    const { access, table } = ATTACHMENT_MODELS[owner]
    requireAccess(access, caller, former ? 'change' : 'add')
    const found = await tx.first(`select from ${quote(getTableName(table()))} where pk = $1 for key share`, [object])
    if (!found) {
      errors.model_id = [unknownReference(object)]
      return
    }
    for (const name of ATTACHMENT_OWNERS) hidden[name] = name === owner ? object : null
  }
  // an empty file name keeps the current one
  if (values.filename === '' && after('attachment')) values.filename = undefined
  await applyAttachmentRules(write, { table: attachment.table, column: owner, object })
}
