import type { Database, Tx } from '../kit/sql/tx.ts'
import { OperatorError } from '../operator-error.ts'
import { hashPassword } from '../resources/user/password.ts'
import { accounts, type DemoAccount, type DemoGroup, groups, OWNER } from '../resources/web/demo/demo-accounts.ts'
import { INVENTORY } from '../resources/web/demo/find-conflict.ts'

/** Tables of personal data with one row per account and object, with the columns that are copied to another account. */
const TRANSFERRED_TABLES = { part_star: 'part', part_category_star: 'category', saved_view: 'name, path, query, shared' }

/**
 * Creates the groups and accounts of the demo in an empty database, all with the same password. The API has no endpoints for that yet, so
 * this writes to the tables. If two demos run at the same time, one is rejected.
 * @param addsToAccounts whether the database already has accounts, but no inventory yet
 * @throws OperatorError when the database is not empty
 */
export async function createAccounts(database: Database, password: string, addsToAccounts = false): Promise<void> {
  const hash = await hashPassword(password)
  await database.transaction(async (tx) => {
    tx.lockExclusive()
    await tx.query('lock table user_account in share row exclusive mode')
    // a concurrent insert waits, so that the keys of the demo start at 1
    if (addsToAccounts) await tx.query(`lock table ${INVENTORY.join(', ')} in share row exclusive mode`)
    await rejectIfInUse(tx, addsToAccounts ? INVENTORY : ['user_account', ...INVENTORY])
    if (addsToAccounts) await resetSequences(tx)
    for (const group of groups) await createGroup(tx, group)
    for (const account of accounts) await createAccount(tx, account, hash)
  })
}

/** Sets this password for every account of the demo. Before that, no one knows their passwords. */
export async function setAccountPasswords(database: Database, password: string): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { username } of accounts)
      await tx.query('update user_account set password = $1 where username = $2', [await hashPassword(password), username])
  })
}

/** Deactivates the accounts of the demo, whose password no one knows. */
export async function deactivateAccounts(database: Database): Promise<void> {
  const names = accounts.map(({ username }) => username)
  await database.transaction((tx) =>
    tx.query(
      'update user_account set is_active = false, is_staff = false, is_superuser = false where username = any($1::text[])',
      [names],
    ),
  )
}

/** Transfers the personal data of the demo's owner to another account, except duplicates of its own. */
export async function transferOwnership(database: Database, recipient: number): Promise<void> {
  const ownedByDemo = `"user" in (select pk from user_account where username = $2)`
  await database.transaction(async (tx) => {
    await tx.query(`update notification set "user" = $1 where ${ownedByDemo}`, [recipient, OWNER])
    for (const [table, columns] of Object.entries(TRANSFERRED_TABLES))
      await tx.query(
        `with deleted as (delete from ${table} where ${ownedByDemo} returning ${columns})
         insert into ${table} ("user", ${columns}) select $1, ${columns} from deleted on conflict do nothing`,
        [recipient, OWNER],
      )
  })
}

async function resetSequences(tx: Tx): Promise<void> {
  for (const table of INVENTORY) await tx.query(`select setval(pg_get_serial_sequence('${table}', 'pk'), 1, false)`)
}

async function rejectIfInUse(tx: Tx, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const row = await tx.first<{ count: number }>(`select count(*)::integer as count from ${table} having count(*) > 0`)
    if (row === undefined) continue
    throw new OperatorError(
      `nothing was changed: the demo requires an empty database, and this one is in use (${row.count} rows in ${table}), perhaps by an interrupted demo; try another DATA_DIR`,
    )
  }
}

async function createGroup(tx: Tx, { name, rights }: DemoGroup): Promise<void> {
  const group = await tx.first<{ pk: number }>('insert into user_group (name) values ($1) returning pk', [name])
  for (const [role, allowed] of Object.entries(rights)) {
    await tx.query('update rule_set set can_add = $3, can_change = $4, can_delete = $5 where "group" = $1 and name = $2', [
      group?.pk,
      role,
      allowed.includes('add'),
      allowed.includes('change'),
      allowed.includes('delete'),
    ])
  }
}

async function createAccount(tx: Tx, account: DemoAccount, hash: string): Promise<void> {
  const { username, first_name, last_name, email, superuser } = account
  const created = await tx.first<{ pk: number }>(
    `insert into user_account (username, password, first_name, last_name, email, is_staff, is_superuser)
     values ($1, $2, $3, $4, $5, $6, $6) returning pk`,
    [username, hash, first_name, last_name, email, superuser],
  )
  await tx.query('insert into user_group_member ("user", "group") select $1, pk from user_group where name = any($2::text[])', [
    created?.pk,
    account.groups,
  ])
}
