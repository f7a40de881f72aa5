import { index, integer, jsonb, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, flag, moment, primaryKey, text, uuid, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A print that is carried out in the background: what was asked for, how far it is, and what came of it. */
export const printJob = pgTable(
  'print_job',
  {
    pk: primaryKey(),
    /** What clients know it by. */
    id: uuid(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** The kind of the template, such as `label/part`, and its key. */
    kind: varchar(30).notNull(),
    template: integer().notNull(),
    /** The query and the body of the request. */
    query: jsonb().notNull(),
    body: jsonb().notNull(),
    /** The Idempotency-Key that names it, if there is one, and a digest of the request that came with it. */
    key: varchar(255),
    digest: bytes(),
    /** `waiting`, `running`, `done`, `failed` or `unknown`. */
    status: varchar(10).notNull().default('waiting'),
    /** How often it was begun: who began it earlier has no say any more. */
    attempt: integer().notNull().default(0),
    /** Labels, or documents, that are made, and all of them once that is known. */
    done: integer().notNull().default(0),
    total: integer(),
    /** When a machine or a plugin was about to be asked to print: committed before it is, so that it is asked once. */
    asked: moment(),
    /** Below the media folder. */
    file: text(),
    /** What was printed, in words. */
    message: varchar(500),
    /** What is missing in what was printed, as the service words it. */
    warnings: jsonb().notNull().default([]),
    /** Nobody waits for it: it was asked for with `Prefer: respond-async`, or waited for too long. */
    in_background: flag(true),
    /** Why it failed: the code of the problem and its body. */
    error: jsonb(),
    created: moment().notNull().defaultNow(),
    finished: moment(),
  },
  (table) => [
    unique('print_job_id_key').on(table.id),
    unique('print_job_user_key_key').on(table.user, table.key),
    index('print_job_created_idx').on(table.created),
  ],
)
