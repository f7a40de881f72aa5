import type { Database, Tx } from '../kit/sql/tx.ts'
import { OperatorError } from '../operator-error.ts'
import { hashPassword } from '../resources/user/password.ts'
import { accounts, type DemoAccount, type DemoGroup, groups } from './data/people.ts'

/** Kinds of objects of which every installation in use has at least one. */
const inUse = ['user_account', 'company', 'part', 'part_category', 'stock_location', 'purchase_order', 'project_code']

/**
 * Makes the groups and accounts of the demo in an empty database, all with the same password. There are no addresses for
 * that yet, so this is done in the tables. Of two demos at the same moment one is refused.
 * @throws OperatorError when the database is not empty
 */
export async function makeAccounts(database: Database, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await database.transaction(async (tx) => {
    await tx.query('lock table user_account in share row exclusive mode')
    await refuseIfInUse(tx)
    for (const group of groups) await makeGroup(tx, group)
    for (const account of accounts) await makeAccount(tx, account, hash)
  })
}

/** Gives every account of the demo this password: until then nobody knows one. */
export async function openAccounts(database: Database, password: string): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { username } of accounts)
      await tx.query('update user_account set password = $1 where username = $2', [await hashPassword(password), username])
  })
}

async function refuseIfInUse(tx: Tx): Promise<void> {
  for (const table of inUse) {
    const found = await tx.first<{ count: number }>(`select count(*)::integer as count from ${table} having count(*) > 0`)
    if (found === undefined) continue
    throw new OperatorError(
      `nothing was changed: the demo needs an empty database, and this one is in use (${found.count} rows in ${table}), perhaps by a demo that was cut short; try another DATA_DIR`,
    )
  }
}

async function makeGroup(tx: Tx, { name, rights }: DemoGroup): Promise<void> {
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

async function makeAccount(tx: Tx, account: DemoAccount, hash: string): Promise<void> {
  const { username, first_name, last_name, email, superuser } = account
  const made = await tx.first<{ pk: number }>(
    `insert into user_account (username, password, first_name, last_name, email, is_staff, is_superuser)
     values ($1, $2, $3, $4, $5, $6, $6) returning pk`,
    [username, hash, first_name, last_name, email, superuser],
  )
  await tx.query('insert into user_group_member ("user", "group") select $1, pk from user_group where name = any($2::text[])', [
    made?.pk,
    account.groups,
  ])
}
