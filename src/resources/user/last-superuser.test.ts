import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Database } from '../../kit/sql/tx.ts'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { type Client, testService } from '../../testing/service.ts'
import { isLastSuperuser } from './last-superuser.ts'
import { hashPassword } from './password.ts'

const service = await testService()
const { superuser } = service
const firstPk = service.getPk('superuser')
const PASSWORD = 'seven blue horses'

const getAccountPath = (pk: number) => `/api/user/${pk}/`
const readActiveSuperusers = async () =>
  (await service.rows('select pk from user_account where is_superuser and is_active order by pk')).map(({ pk }) => pk)

const [{ pk: secondPk }] = await service.rows(
  `insert into user_account (username, password, is_staff, is_superuser) values ('second', $1, true, true) returning pk`,
  [await hashPassword(PASSWORD)],
)
const secondHeaders = { authorization: `Basic ${btoa(`second:${PASSWORD}`)}` }
const secondClient: Pick<Client, 'send'> = {
  send: (method, path, body) => service.anonymous.send(method, path, body, secondHeaders),
}

/** Requests after which an account is no longer an active superuser. */
const REMOVALS: [name: string, method: string, body?: object][] = [
  ['demoted', 'PATCH', { is_superuser: false }],
  ['deactivated', 'PATCH', { is_active: false }],
  ['replaced', 'PUT', { username: 'x', is_superuser: false }],
  ['deleted', 'DELETE'],
]

it('isLastSuperuser is evaluated by one transaction at a time', async () => {
  const database = new Database(service.pool)
  const steps: string[] = []
  let second: Promise<void> | undefined
  await database.transaction(async (tx) => {
    assert.equal(await isLastSuperuser(tx, firstPk), false)
    second = database.transaction(async (otherTx) => {
      steps.push(`the second: ${await isLastSuperuser(otherTx, secondPk)}`)
    })
    await tx.query('update user_account set is_superuser = false where pk = $1', [firstPk])
    await new Promise((resolve) => setTimeout(resolve, 100))
    steps.push('the first')
  })
  await second
  assert.deepEqual(steps, ['the first', 'the second: true'])
})

describe('the last active superuser', () => {
  beforeEach(async () => {
    await service.rows(
      `insert into user_account (pk, username, password, is_staff, is_superuser)
       select $1, 'second', password, true, true from user_account where username = 'superuser' on conflict do nothing`,
      [secondPk],
    )
    await service.rows('update user_account set is_superuser = true, is_active = true where pk = any($1::integer[])', [
      [firstPk, secondPk],
    ])
    await service.rows(`update user_account set password = $2 where pk = $1`, [secondPk, await hashPassword(PASSWORD)])
    await waitForListeners(service)
  })

  for (const [name, method, body] of REMOVALS) {
    it(`cannot be ${name}`, async () => {
      // a deactivated superuser does not count
      await service.rows('update user_account set is_active = false where pk = $1', [secondPk])
      const before = await service.rows('select * from user_account order by pk')
      const response = await superuser.send(method, getAccountPath(firstPk), body)
      assert.equal(response.status, 400, response.text)
      assert.deepEqual(await service.rows('select * from user_account order by pk'), before)
    })

    it(`can be ${name} while there is another superuser`, async () => {
      const response = await superuser.send(method, getAccountPath(secondPk), body)
      assert.equal(response.status, method === 'DELETE' ? 204 : 200, response.text)
      assert.deepEqual(await readActiveSuperusers(), [firstPk])
    })

    it(`remains when two superusers get each other ${name} at the same time`, async () => {
      for (let round = 0; round < 3; round++) {
        const responses = await Promise.all([
          superuser.send(method, getAccountPath(secondPk), body),
          secondClient.send(method, getAccountPath(firstPk), body),
        ])
        const successes = responses.filter(({ status }) => status < 300)
        assert.equal(successes.length, 1, JSON.stringify(responses.map(({ status, text }) => [status, text])))
        assert.equal((await readActiveSuperusers()).length, 1)
        if (method === 'DELETE') return
        await service.rows('update user_account set is_superuser = true, is_active = true where pk = any($1::integer[])', [
          [firstPk, secondPk],
        ])
        await waitForListeners(service)
      }
    })
  }
})
