import { integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, primaryKey, reference, uuid, varchar } from '../../kit/sql/columns.ts'

/** A machine in the workshop that the service works with through a driver, such as a label printer. */
export const machine = pgTable(
  'machine',
  {
    pk: primaryKey(),
    /** What clients know it by. */
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

/** How a machine is, as its driver says. It changes without anybody changing the machine. */
export const machineState = pgTable('machine_state', {
  machine: reference(() => machine.pk, 'cascade').primaryKey(),
  /** Its driver works with it. */
  initialized: flag(false),
  /** The number of its state. */
  status: integer().notNull(),
  /** What its driver says of it. */
  status_text: filledVarchar(250),
  /** What keeps it from working; empty for nothing. */
  error: filledVarchar(250),
  /** A setting was changed that its driver takes over when it begins anew. */
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
    value: filledVarchar(2000),
  },
  (table) => [unique('machine_setting_machine_config_type_key_key').on(table.machine, table.config_type, table.key)],
)
