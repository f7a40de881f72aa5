import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  day,
  filledVarchar,
  primaryKey,
  reference,
  varchar,
  webAddress,
} from '../kit/sql/columns.ts'
import { userAccount } from './user/user-account.table.ts'

/**
 * A table of attachments for one kind of object: files, and links to pages elsewhere.
 * @param owner column of the object; deleting the object deletes its attachments
 */
export const attachmentTable = <Name extends string, Owner extends string>(
  name: Name,
  owner: Owner,
  target: () => AnyPgColumn,
) => {
  const ownerColumn = { [owner]: reference(target, 'cascade').notNull() } as Record<Owner, ReturnType<typeof ownerReference>>
  return pgTable(
    name,
    {
      ...ownerColumn,
      pk: primaryKey(),
      /** Path of the file below the media folder; null for a link. */
      attachment: varchar(100),
      /** File name; empty without a file. */
      filename: filledVarchar(250),
      link: webAddress(),
      comment: filledVarchar(100),
      upload_date: day().default(sql`current_date`),
      /** The account that attached it. */
      user: accountReference(() => userAccount.pk, 'set null'),
    },
    (table) => [
      index(`${name}_${owner}_idx`).on((table as Record<string, AnyPgColumn>)[owner] as AnyPgColumn),
      index(`${name}_attachment_idx`).on(table.attachment).where(sql`${table.attachment} is not null`),
      ...createOrderIndexes(name, table.pk, table.upload_date),
      index(`${name}_user_idx`).on(table.user).where(sql`${table.user} is not null`),
    ],
  )
}

const ownerReference = (target: () => AnyPgColumn) => reference(target, 'cascade').notNull()

/** A table of attachments for one kind of object. */
export type AttachmentTable = ReturnType<typeof attachmentTable<string, never>>
