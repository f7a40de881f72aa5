import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  day,
  flag,
  metadata,
  primaryKey,
  reference,
  tags,
  urlColumn,
  varchar,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'
import { ATTACHMENT_MODELS, ATTACHMENT_OWNERS, type AttachmentOwner } from './attachment-models.ts'

const owners = Object.fromEntries(
  ATTACHMENT_OWNERS.map((owner) => [owner, reference(() => ATTACHMENT_MODELS[owner].table().pk, 'cascade')]),
) as Record<AttachmentOwner, ReturnType<typeof reference>>

const ownerOfType = ATTACHMENT_OWNERS.map((owner) => `when '${ATTACHMENT_MODELS[owner].model}' then ${owner}`).join(' ')

const objectKey = `coalesce(${ATTACHMENT_OWNERS.join(', ')})`

/** Attachments: files, and links to pages elsewhere, each of one object, which `model_type` and the column of its kind name. */
export const attachment = pgTable(
  'attachment',
  {
    pk: primaryKey(),
    /** The kind of the object, as on the wire. */
    model_type: varchar(50).notNull(),
    /** Its key among the attachments of this kind of object, where these have a list of their own: `pk` of the view, such as `part_attachment`. */
    kind_pk: integer(),
    ...owners,
    /** Path of the file below the media folder; null for a link. */
    attachment: varchar(100),
    /** File name; empty without a file. */
    filename: varcharNotNull(250),
    /** Size of the file in bytes: 0 without a file, null until it has been read. */
    file_size: bigint({ mode: 'number' }).default(0),
    /** Whether the file is a picture. */
    is_image: flag(false),
    link: urlColumn(),
    comment: varcharNotNull(250),
    upload_date: day().default(sql`current_date`),
    /** The account that attached it. */
    user: accountReference(() => userAccount.pk, 'set null'),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    uniqueIndex('attachment_kind_pk_key').on(table.model_type, table.kind_pk),
    ...ATTACHMENT_OWNERS.map((owner) =>
      index(`attachment_${owner}_idx`).on(table[owner]).where(sql`${table[owner]} is not null`),
    ),
    index('attachment_attachment_idx').on(table.attachment).where(sql`${table.attachment} is not null`),
    index('attachment_unmeasured_idx').on(table.pk).where(sql`${table.file_size} is null`),
    index('attachment_kind_by_upload_date_idx').on(table.model_type, table.upload_date, table.kind_pk),
    index('attachment_by_model_id_idx').on(sql.raw(objectKey), table.pk),
    ...createOrderIndexes('attachment', table.pk, table.model_type, table.upload_date, table.file_size),
    index('attachment_user_idx').on(table.user).where(sql`${table.user} is not null`),
    index('attachment_tags_idx').using('gin', table.tags),
    check(
      'attachment_owner_check',
      sql.raw(`num_nonnulls(${ATTACHMENT_OWNERS.join(', ')}) = 1 and case model_type ${ownerOfType} end is not null`),
    ),
  ],
)
