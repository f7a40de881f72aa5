import { index, integer, jsonb, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, flag, instant, primaryKey, text, uuid, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** A print in the background: its request, progress and result. */
export const printJob = pgTable(
  'print_job',
  {
    pk: primaryKey(),
    /** Public id. */
    id: uuid(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    /** Type of the template, such as `label/part`, and its key. */
    kind: varchar(30).notNull(),
    template: integer().notNull(),
    /** The query and the body of the request. */
    query: jsonb().notNull(),
    body: jsonb().notNull(),
    /** The Idempotency-Key that identifies it, if there is one, and a digest of its request. */
    key: varchar(255),
    digest: bytes(),
    /** `waiting`, `running`, `done`, `failed`, `unknown` or `cancelled`. */
    status: varchar(10).notNull().default('waiting'),
    /** Number of attempts: an earlier attempt may no longer write. */
    attempt: integer().notNull().default(0),
    /** Number of completed labels or documents, and the total once known. */
    done: integer().notNull().default(0),
    total: integer(),
    /** Time before a machine or plugin is called to print: committed before the call, so that it is called once. */
    asked: instant(),
    /** Path below the media folder. */
    file: text(),
    /** Description of the printed content. */
    message: varchar(500),
    /** Warnings about the printed content, as the service words them. */
    warnings: jsonb().notNull().default([]),
    /** Whether no request waits for it: it was requested with `Prefer: respond-async`, or the wait timed out. */
    in_background: flag(true),
    /** Reason of a failure: the code of the problem and its body. */
    error: jsonb(),
    created: instant().notNull().defaultNow(),
    finished: instant(),
  },
  (table) => [
    unique('print_job_id_key').on(table.id),
    unique('print_job_user_key_key').on(table.user, table.key),
    index('print_job_created_idx').on(table.created),
  ],
)
