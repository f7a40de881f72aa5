import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, instant, primaryKey, text, varchar } from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'

/** An installed package, which every node must have. */
export const pluginPackage = pgTable(
  'plugin_package',
  {
    pk: primaryKey(),
    /** The slug of its plugin. */
    key: varchar(255).notNull(),
    /** Its npm name. */
    name: varchar(214).notNull(),
    version: varchar(100).notNull(),
    /** The SHA-512 of `tarball`, in hexadecimal. */
    digest: varchar(128).notNull(),
    /** The package with all its dependencies, packed. */
    tarball: bytes().notNull(),
    /** The requested package, without credentials. */
    requirement: text().notNull(),
    installed_at: instant().notNull(),
    installed_by: accountReference(() => userAccount.pk, 'set null'),
  },
  (table) => [
    unique('plugin_package_key_key').on(table.key),
    unique('plugin_package_name_key').on(table.name),
    index('plugin_package_installed_by_idx').on(table.installed_by),
  ],
)
