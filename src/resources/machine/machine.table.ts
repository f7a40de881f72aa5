import { integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, primaryKey, reference, uuid, varchar, varcharNotNull } from '../../kit/sql/columns.ts'

/** A machine in the workshop that the service controls through a driver, such as a label printer. */
export const machine = pgTable(
  'machine',
  {
    pk: primaryKey(),
    /** Identifier for clients. */
    id: uuid(),
    name: varchar(255).notNull(),
    /** The slug of its type. */
    machine_type: varchar(255).notNull(),
    /** The slug of its driver. */
    driver: varchar(255).notNull(),
    active: flag(true),
  },
  (table) => [unique('machine_id_key').on(table.id), unique('machine_name_key').on(table.name)],
)

/** Current state of a machine, as reported by its driver. It changes independently of the machine's row. */
export const machineState = pgTable('machine_state', {
  machine: reference(() => machine.pk, 'cascade').primaryKey(),
  /** Whether its driver is running. */
  initialized: flag(false),
  /** Status code. */
  status: integer().notNull(),
  /** Status text from its driver. */
  status_text: varcharNotNull(250),
  /** Error that prevents it from working; empty for none. */
  error: varcharNotNull(250),
  /** Whether a setting was changed that its driver applies at the next start. */
  restart_required: flag(false),
})

/** The value of a setting of a machine, as text. A setting without a row has its default. */
export const machineSetting = pgTable(
  'machine_setting',
  {
    pk: primaryKey(),
    machine: reference(() => machine.pk, 'cascade').notNull(),
    /** `M`: its type has the setting; `D`: its driver does. */
    config_type: varchar(1).notNull(),
    key: varchar(50).notNull(),
    value: varcharNotNull(2000),
  },
  (table) => [unique('machine_setting_machine_config_type_key_key').on(table.machine, table.config_type, table.key)],
)
