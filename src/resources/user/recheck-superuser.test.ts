import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { sendWhileLocked } from '../../testing/while-locked.ts'
import { hashPassword } from './password.ts'

const service = await testService()
const PASSWORD = 'seven blue horses'
const [{ pk: demoted }] = await service.rows(
  `insert into user_account (username, password, is_staff, is_superuser) values ('demoted', $1, true, true) returning pk`,
  [await hashPassword(PASSWORD)],
)
const [{ pk: target }] = await service.rows(
  `insert into user_account (username, is_staff, is_superuser) values ('target', true, true) returning pk`,
)
const credentials = { authorization: `Basic ${btoa(`demoted:${PASSWORD}`)}` }
const readAccounts = () =>
  service.rows(
    'select pk, username, password, first_name, is_superuser, is_active from user_account where pk <> $1 order by pk',
    [demoted],
  )

/** Sends a request from an account that is changed while the request waits for the lock on its target. */
const sendWhileChanging = (change: string, method: string, path: string, body?: object) =>
  sendWhileLocked(
    service,
    target,
    () => service.anonymous.send(method, path, body, credentials),
    `update user_account set ${change} where pk = ${demoted}`,
  )

const REQUESTS: [method: string, path: string, body?: object][] = [
  ['PATCH', `/api/user/${target}/`, { is_superuser: false }],
  ['PUT', `/api/user/${target}/`, { first_name: 'Other' }],
  ['DELETE', `/api/user/${target}/`],
  ['PUT', `/api/user/${target}/set-password/`, { password: PASSWORD }],
  ['DELETE', `/api/user/${target}/second-factor/`],
]

describe('a superuser who loses that status while waiting for the lock on an account', () => {
  beforeEach(async () => {
    await service.rows('update user_account set is_superuser = true, is_active = true where pk = $1', [demoted])
    await service.rows(
      `insert into second_factor ("user", sealed_secret, confirmed) values ($1, '', now()) on conflict do nothing`,
      [target],
    )
    await waitForListeners(service)
  })

  for (const [method, path, body] of REQUESTS)
    for (const change of ['is_superuser = false', 'is_active = false'])
      it(`cannot ${method} ${path} after ${change}`, { timeout: scaleTimeout(20_000) }, async () => {
        const before = await readAccounts()
        const response = await sendWhileChanging(change, method, path, body)
        assert.equal(response.status, 403, response.text)
        assert.deepEqual(await readAccounts(), before)
      })
})
